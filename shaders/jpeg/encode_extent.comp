#version 460
// How long the entropy-coded data will be, for nodes that count their groups by it.

layout(local_size_x = 1) in;

uniform Params { uint room; } params; // words

#include "shape.glsl"
#include "extent.glsl"

writeonly buffer Words { uint count; } words;
writeonly buffer Tiles { uint count; } tiles;

void main() {
    JpegExtent extent = data_extent(params.room);
    words.count = extent.words;
    tiles.count = extent.tiles;
}
