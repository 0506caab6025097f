// What the kernels of compactions share: finding what a tile keeps, and writing it in order.
#include "primitives/elements.glsl"
#include "primitives/counts.glsl"
#include "primitives/tile_scan.glsl"
#include "primitives/keep.glsl"

layout(constant_id = 9) const uint emits_indices = 0u;  // in place of the elements
layout(constant_id = 10) const uint keeps_rejected = 0u; // they are written as well

uvec4 row_quads[kQuads];
uint row_masks[kQuads]; // of the elements that are kept

// Fills `row_quads`, `row_masks` and `row_sums`, the numbers kept.
void load_tile(uint tile, uint end) {
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        row_quads[row] = source.quads[quad_within(quad, end)];
    }
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        row_masks[row] = keep_mask(quad, row_quads[row], end);
        row_sums[row] = bitCount(row_masks[row]);
    }
}
