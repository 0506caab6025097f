#ifndef VOXEL_GRID
#define VOXEL_GRID
// Where the bits of a grid are. A voxel is a bit: word (y * width + x) * row_words + (z >> 5), bit
// z & 31. The bits beyond the grid's depth are zero.

uint row_words(uvec3 dims) {
    return dims.z + 31u >> 5u;
}

// The first word of the row of voxels along z at (x, y).
uint row_of(uvec3 dims, uint x, uint y) {
    return (y * dims.x + x) * row_words(dims);
}

// Bits from `first` to `last`, both from 0 to 31.
uint bits_between(uint first, uint last) {
    return 0xffffffffu << first & 0xffffffffu >> 31u - last;
}

#endif
