// The cells of a grid and their numbers: the C++ side is passes/raygrid/grid.hpp.
#ifndef RAYGRID_CELLS
#define RAYGRID_CELLS

// Cells are numbered along a Morton curve within cubes of 2^cube_bits cells, and cubes row by row:
// so there is a number for each cell and no more, whatever the grid's shape, and for a cube of a
// power of two it is the Morton code.
layout(constant_id = 40) const uint cube_bits = 0u;

// Each of ten bits in the place of three.
uint spread(uint v) {
    v = (v | v << 16u) & 0x030000ffu;
    v = (v | v << 8u) & 0x0300f00fu;
    v = (v | v << 4u) & 0x030c30c3u;
    return (v | v << 2u) & 0x09249249u;
}

uint key_of(uvec3 cell, uvec3 dims) {
    uvec3 inner = cell & (1u << cube_bits) - 1u;
    uvec3 cube = cell >> cube_bits;
    uvec3 cubes = dims >> cube_bits;
    uint number = (cube.z * cubes.y + cube.y) * cubes.x + cube.x;
    uint code = spread(inner.x) | spread(inner.y) << 1u | spread(inner.z) << 2u;
    return number << 3u * cube_bits | code;
}

// A cell in a word: its coordinates are below 2^10.
uint packed_cell(ivec3 cell) {
    return uint(cell.x) | uint(cell.y) << 10u | uint(cell.z) << 20u;
}
ivec3 unpacked_cell(uint word) {
    return ivec3(uvec3(word, word >> 10u, word >> 20u) & 1023u);
}

#endif
