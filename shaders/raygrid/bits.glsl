// Where the bits are that say which cells are occupied.
#ifndef RAYGRID_BITS
#define RAYGRID_BITS
#include "voxel/grid.glsl"

// Where the bit of a cell is: word and bit.
uvec2 bit_of(uvec3 cell, uvec3 dims) {
    return uvec2(row_of(dims, cell.x, cell.y) + (cell.z >> 5u), cell.z & 31u);
}

// The same of a block of kBlock^3 cells, for stepping over empty ones.
const uint kBlockBits = 3u;
uvec2 block_bit_of(uvec3 cell, uvec3 dims) {
    uvec3 block = cell >> kBlockBits;
    uvec3 blocks = (dims + (1u << kBlockBits) - 1u) >> kBlockBits;
    uint number = (block.z * blocks.y + block.y) * blocks.x + block.x;
    return uvec2(number >> 5u, number & 31u);
}

#endif
