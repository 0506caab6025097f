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

// The bits of 2^3 of them, from the least on; and what part of a bit's number says where they begin.
const uint kEighth = 0x00330033u;
const uint kEighthOfBit = 10u;

#endif
