#version 460
// Turns the totals of tiles into what comes before each tile. One group does them all, a tile of
// them at a time: 16 million elements are one tile of totals.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most; // elements
} params;
#include "length.glsl"

buffer Totals { uvec4 quads[]; } totals; // encoded
writeonly buffer Total { uint word; } total;
#include "operators.glsl"
#include "tile_scan.glsl"

void main() {
    uint end = max(tiles_of(element_count(params.most), kTile), 1u);
    uint prefix = identity();
    for (uint tile = 0u; tile < tiles_of(end, kTile); ++tile) {
        uvec4 quads[kQuads];
        [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
            uint first = tile * kTile + 4u * quad_of(row);
            uvec4 raw = uvec4(identity());
            if (first < end) raw = totals.quads[first / 4u];
            for (uint i = 0u; i < 4u; ++i)
                quads[row][i] = mix(identity(), raw[i], first + i < end);
            row_sums[row] = combine_quad(quads[row]);
        }
        uint tile_total = scan_tile();
        [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
            uint first = tile * kTile + 4u * quad_of(row);
            uvec4 before;
            before.x = combine(prefix, row_before[row]);
            before.y = combine(before.x, quads[row].x);
            before.z = combine(before.y, quads[row].y);
            before.w = combine(before.z, quads[row].z);
            if (first < end) totals.quads[first / 4u] = before;
        }
        prefix = combine(prefix, tile_total);
        barrier(); // scan_tile uses its shared memory again
    }
    if (gl_LocalInvocationIndex == 0u) total.word = decode(prefix);
}
