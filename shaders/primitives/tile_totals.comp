#version 460
// The combination of each tile of elements, in an order that depends on nothing but the length.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "primitives/length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
writeonly buffer Totals { uint words[]; } totals; // encoded, one for each tile
#include "primitives/operators.glsl"
#include "primitives/tile_scan.glsl"

void main() {
    uint end = element_count();
    uint tile = group_index();
    if (tile >= max(tiles_of(end, kTile), 1u)) return;
    uint sums[kQuads];
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        uvec4 raw = uvec4(0u);
        if (4u * quad < end) raw = source.quads[quad];
        sums[row] = combine_quad(encode_quad(raw, 4u * quad, end));
    }
    TileScan scan = scan_tile(sums);
    if (gl_LocalInvocationIndex == 0u) totals.words[tile] = scan.total;
}
