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
    uvec2 region = blocks.values[region_of(cell, dims)];
    if ((region.x | region.y) == 0u) return Seen(false, kRegionBits);
    uvec2 bit = bit_in_box(cell >> kBlockBits);
    if ((region[bit.x] >> bit.y & 1u) == 0u) return Seen(false, kBlockBits);
    uvec2 block = blocks.values[block_of(cell, dims)];
    bit = bit_in_box(cell);
    return Seen((block[bit.x] >> bit.y & 1u) != 0u, 0u);
}
