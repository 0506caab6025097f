// Rays from one occupied cell to the next.
#include "bits.glsl"
#include "rays.glsl"

layout(constant_id = 43) const uint skips = 1u; // 1: empty boxes are stepped over at once

readonly buffer Words { uint values[]; } words;
readonly buffer Blocks { uvec2 values[]; } blocks;

// Whether a cell is occupied; where not, how large an empty box it is in: 2^box_bits cells a side.
struct Seen {
    bool occupied;
    uint box_bits;
};

Seen look_at(uvec3 dims, ivec3 place) {
    uvec3 cell = uvec3(place);
    if (skips == 0u) {
        uvec2 bit = bit_of(cell, dims);
        return Seen((words.values[bit.x] >> bit.y & 1u) != 0u, 0u);
    }
    // Both at once and without branches: rays beside each other find boxes of all sizes.
    uvec2 region = blocks.values[region_of(cell, dims)];
    uvec2 block = blocks.values[block_of(cell, dims)];
    uint beside = eighth_of(block, cell);
    uint bits = beside != 0u ? 0u : kBlockBits - 1u;
    bits = (block.x | block.y) != 0u ? bits : kBlockBits;
    bits = eighth_of(region, cell >> kBlockBits) != 0u ? bits : kRegionBits - 1u;
    bits = (region.x | region.y) != 0u ? bits : kRegionBits;
    return Seen((beside >> bit_in_eighth(cell) & 1u) != 0u, bits);
}
