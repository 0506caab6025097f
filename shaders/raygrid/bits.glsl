// Where the bits are that say which cells are occupied.
#ifndef RAYGRID_BITS
#define RAYGRID_BITS
#include "voxel/grid.glsl"

// Where the bit of a cell is: word and bit.
uvec2 bit_of(uvec3 cell, uvec3 dims) {
    return uvec2(row_of(dims, cell.x, cell.y) + (cell.z >> 5u), cell.z & 31u);
}

// The same bits once more for stepping over empty ones: a block has 4^3 cells, whose bits are two
// words, and a region 4^3 blocks, whose bits are two words as well. All regions come first.
const uint kBlockBits = 2u;
const uint kRegionBits = 4u;

uvec3 boxes_along(uvec3 dims, uint bits) {
    return (dims + (1u << bits) - 1u) >> bits;
}

uint box_number(uvec3 box, uvec3 boxes) {
    return (box.z * boxes.y + box.y) * boxes.x + box.x;
}

uint region_of(uvec3 cell, uvec3 dims) {
    return box_number(cell >> kRegionBits, boxes_along(dims, kRegionBits));
}

uint block_of(uvec3 cell, uvec3 dims) {
    uvec3 regions = boxes_along(dims, kRegionBits);
    return regions.x * regions.y * regions.z +
           box_number(cell >> kBlockBits, boxes_along(dims, kBlockBits));
}

// Of one of 4^3 things: which of the two words, and the bit.
uvec2 bit_in_box(uvec3 thing) {
    uvec3 inner = thing & 3u;
    return uvec2(inner.z >> 1u, inner.x | inner.y << 2u | (inner.z & 1u) << 4u);
}

// The bits of the 2^3 things around one of 4^3, all of which are in one word: where `bit_in_eighth`
// says.
uint eighth_of(uvec2 box, uvec3 thing) {
    uint word = (thing.z & 2u) != 0u ? box.y : box.x;
    return word >> ((thing.x & 2u) | (thing.y & 2u) << 2u) & 0x00330033u;
}
uint bit_in_eighth(uvec3 thing) {
    return (thing.x & 1u) | (thing.y & 1u) << 2u | (thing.z & 1u) << 4u;
}

#endif
