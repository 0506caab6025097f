// Rays from one occupied cell to the next.
#include "bits.glsl"
#include "rays.glsl"

layout(constant_id = 43) const uint skips = 1u; // 1: empty blocks are stepped over at once

readonly buffer Words { uint values[]; } words;
readonly buffer Blocks { uint values[]; } blocks;

bool is_occupied(uvec3 dims, ivec3 cell) {
    uvec2 bit = bit_of(uvec3(cell), dims);
    return (words.values[bit.x] >> bit.y & 1u) != 0u;
}

// Goes on to the next occupied cell at or behind the place, if there is one that the ray enters at
// `limit` or before.
bool find_occupied(GridRay ray, uvec3 dims, float limit, inout Place place) {
    // A step goes to another cell, so there are no more of them than this.
    uint most = dims.x + dims.y + dims.z;
    for (uint i = 0u; i < most && place.s <= limit; ++i) {
        ivec3 low = place.cell;
        ivec3 high = place.cell + 1;
        if (is_occupied(dims, place.cell)) return true;
        if (skips != 0u) {
            uvec2 bit = block_bit_of(uvec3(place.cell), dims);
            if ((blocks.values[bit.x] >> bit.y & 1u) == 0u) {
                low = place.cell >> int(kBlockBits) << int(kBlockBits);
                high = min(low + (1 << int(kBlockBits)), ivec3(dims));
            }
        }
        if (!step_over(ray, dims, low, high, place)) return false;
    }
    return false;
}

// Goes on to the cell behind this one.
bool leave_cell(GridRay ray, uvec3 dims, inout Place place) {
    return step_over(ray, dims, place.cell, place.cell + 1, place);
}
