// What the kernels of primitives/scan share: reading a tile, and writing its scan.
#include "primitives/operators.glsl"
#include "primitives/tile_scan.glsl"

layout(constant_id = 8) const uint inclusive = 0u;

struct Tile {
    uvec4 quads[kQuads]; // encoded; the identity beyond the end
    uint sums[kQuads];
};

Tile load_tile(uint tile, uint end) {
    Tile result;
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        uvec4 raw = uvec4(0u);
        if (4u * quad < end) raw = source.quads[quad];
        result.quads[row] = encode_quad(raw, 4u * quad, end);
        result.sums[row] = combine_quad(result.quads[row]);
    }
    return result;
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

void store_tile(uint tile, uint end, Tile values, TileScan scan, uint prefix) {
    [[unroll]] for (uint row = 0u; row < kQuads; ++row) {
        uint quad = tile * (kTile / 4u) + quad_of(row);
        if (4u * quad < end)
            result.quads[quad] = scan_quad(values.quads[row], combine(prefix, scan.before[row]));
    }
}
