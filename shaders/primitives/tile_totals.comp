#version 460
// The combination of each tile of elements, in an order that depends on nothing but the length.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
writeonly buffer Totals { uint words[]; } totals; // encoded, one for each tile
#include "operators.glsl"
#include "tile_scan.glsl"

void main() {
    uint end = element_count(params.most);
    uint tile = group_index();
    if (tile >= max(tiles_of(end, kTile), 1u)) return;
    uvec4 quads[kQuads];
    [[unroll]] for (uint row = 0u; row < kQuads; ++row)
        quads[row] = source.quads[quad_within(tile * (kTile / 4u) + quad_of(row), end)];
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint first = 4u * (tile * (kTile / 4u) + quad_of(row));
        row_sums[row] = combine_quad(encode_quad(quads[row], first, end));
    }
    uint total = scan_tile();
    if (gl_LocalInvocationIndex == 0u) totals.words[tile] = total;
}
