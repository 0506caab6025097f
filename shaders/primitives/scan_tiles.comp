#version 460
// The scan of each tile, given what comes before the tile.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
readonly buffer Prefixes { uint words[]; } prefixes; // encoded, one for each tile
writeonly buffer Result { uvec4 quads[]; } result;
#include "scan_body.glsl"

void main() {
    uint end = element_count(params.most);
    uint tile = group_index();
    if (tile >= tiles_of(end, kTile)) return;
    load_tile(tile, end);
    scan_tile();
    store_tile(tile, end, prefixes.words[tile]);
}
