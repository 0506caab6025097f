// What the kernels of compactions share: finding what a tile keeps, and writing it in order.
#include "primitives/elements.glsl"
#include "primitives/counts.glsl"
#include "primitives/tile_scan.glsl"
#include "primitives/keep.glsl"

layout(constant_id = 9) const uint emits_indices = 0u;  // in place of the elements
layout(constant_id = 10) const uint keeps_rejected = 0u; // they are written as well

struct Tile {
    uvec4 quads[kQuads];
    uint masks[kQuads]; // of the elements that are kept
    uint counts[kQuads];
};

Tile load_tile(uint tile, uint end) {
    Tile result;
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        result.quads[row] = 4u * quad < end ? source.quads[quad] : uvec4(0u);
    }
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        result.masks[row] = keep_mask(quad, result.quads[row], end);
        result.counts[row] = bitCount(result.masks[row]);
    }
    return result;
}
