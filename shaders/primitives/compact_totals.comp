#version 460
// How many elements of each tile a compaction keeps.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

writeonly buffer Totals { uint words[]; } totals; // one for each tile
#include "compact_body.glsl"

void main() {
    uint end = element_count(params.most);
    uint tile = group_index();
    if (tile >= max(tiles_of(end, kTile), 1u)) return;
    TileCount kept = read_tile(tile, end, params.p);
    if (gl_LocalInvocationIndex == 0u) totals.words[tile] = kept.total;
}
