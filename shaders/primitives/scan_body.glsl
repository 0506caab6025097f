// What the kernels of primitives/scan share: reading a tile, and writing its scan.
#include "operators.glsl"
#include "tile_scan.glsl"

layout(constant_id = 8) const uint inclusive = 0u;

uvec4 row_quads[kQuads]; // encoded; the identity beyond the end

// Fills `row_quads` and `row_sums`.
void load_tile(uint tile, uint end) {
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        row_quads[row] = source.quads[quad_within(quad, end)];
    }
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint first = 4u * (tile * (kTile / 4u) + quad_of(row));
        row_quads[row] = encode_quad(row_quads[row], first, end);
        row_sums[row] = combine_quad(row_quads[row]);
    }
}

// The scan of a quad that has `before` before it.
uvec4 scan_quad(uvec4 quad, uint before) {
    uvec4 sums;
    sums.x = combine(before, quad.x);
    sums.y = combine(sums.x, quad.y);
    sums.z = combine(sums.y, quad.z);
    sums.w = combine(sums.z, quad.w);
    uvec4 kept = mix(uvec4(before, sums.xyz), sums, bvec4(inclusive != 0u));
    return uvec4(decode(kept.x), decode(kept.y), decode(kept.z), decode(kept.w));
}

// After scan_tile.
void store_tile(uint tile, uint end, uint prefix) {
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        if (4u * quad < end)
            result.quads[quad] = scan_quad(row_quads[row], combine(prefix, row_before[row]));
    }
}
