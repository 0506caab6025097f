// Rays from one occupied cell to the next.
#include "bits.glsl"
#include "rays.glsl"

layout(constant_id = 43) const uint skips = 1u; // 1: empty boxes are stepped over at once

readonly buffer Words { uint values[]; } words;
readonly buffer Blocks { uvec2 values[]; } blocks;

// Whether a cell is occupied; where not, how large an empty box it is in: 1, 2, 4, 8 or 16 cells a
// side, less one.
struct Seen {
    bool occupied;
    int box;
};

Seen look_at(uvec3 dims, ivec3 place) {
    uvec3 cell = uvec3(place);
    if (skips == 0u) {
        uvec2 bit = bit_of(cell, dims);
        return Seen((words.values[bit.x] >> bit.y & 1u) != 0u, 0);
    }
    // Both at once and without branches: rays beside each other find boxes of all sizes.
    uvec2 region = blocks.values[region_of(cell, dims)];
    uvec2 block = blocks.values[block_of(cell, dims)];
    uint region_half = (cell.z & 8u) != 0u ? region.y : region.x;
    uint region_eighth = region_half >> ((cell.x & 8u) >> 2u | (cell.y & 8u)) & kEighth;
    uint block_half = (cell.z & 2u) != 0u ? block.y : block.x;
    uint bit = cell.x & 3u | (cell.y & 3u) << 2u | (cell.z & 1u) << 4u;
    uint block_eighth = block_half >> (bit & kEighthOfBit) & kEighth;
    int box = block_eighth != 0u ? 0 : 1;
    box = (block.x | block.y) != 0u ? box : 3;
    box = region_eighth != 0u ? box : 7;
    box = (region.x | region.y) != 0u ? box : 15;
    return Seen((block_half >> bit & 1u) != 0u, box);
}
