#version 460
// How many elements of each tile a compaction keeps.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;    // of the expression
    uint most; // elements
} params;
#include "primitives/length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
writeonly buffer Totals { uint words[]; } totals; // one for each tile
#include "primitives/compact_body.glsl"

void main() {
    uint end = element_count();
    uint tile = group_index();
    if (tile >= max(tiles_of(end, kTile), 1u)) return;
    uint quads = (tile * kTile + part_first()) / 4u + gl_SubgroupInvocationID;
    uvec4 values[kQuads];
    [[unroll]] for (uint row = 0u; row < kQuads; ++row)
        values[row] = source.quads[quad_within(quads + row * gl_SubgroupSize, end)];
    uint own = 0u;
    [[unroll]] for (uint row = 0u; row < kQuads; ++row)
        own += bitCount(keep_mask(quads + row * gl_SubgroupSize, values[row], end));
    TileCount kept = count_tile(subgroupAdd(own));
    if (gl_LocalInvocationIndex == 0u) totals.words[tile] = kept.total;
}
