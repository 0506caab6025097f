#version 460
// How long the entropy-coded data will be.

layout(local_size_x = 1) in;

uniform Params { uint room; } params; // words

readonly buffer Total { uint low; uint high; } total;
readonly buffer Segmented { uint bytes; } segmented; // with restart markers

#include "shape.glsl"
#include "stream.glsl"

writeonly buffer Extent { JpegExtent extent; } result;
// Two of its numbers for what counts its groups by them.
writeonly buffer Words { uint count; } words;
writeonly buffer Tiles { uint count; } tiles;

void main() {
    uint bytes = restart == 0u ? total.low / 8u + (total.low % 8u != 0u ? 1u : 0u) : segmented.bytes;
    if (total.high != 0u) bytes = 0xffffffffu;
    uint needed = bytes;
    bytes = min(bytes, 4u * params.room);
    uint all_words = (bytes + 3u) / 4u;
    uint all_tiles = (all_words + kTileWords - 1u) / kTileWords;
    result.extent = JpegExtent(bytes, all_words, all_tiles, needed);
    words.count = all_words;
    tiles.count = all_tiles;
}
