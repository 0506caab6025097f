// Means in whole numbers of 16 bits, eight texels along x in a vector: a "block". Texel 2k is the
// lower half of word k, so that loads are of 16 bytes and sums are exact.
#ifndef OCCLUSION_PACKED
#define OCCLUSION_PACKED

const int kBlock = 8; // texels, as in passes/occlusion/packed.cpp
const float kOne = 65535.0;
const int kBrick = 16; // edge of a brick, voxels, as in packed.hpp

// -1 beyond all.
int brick_number(ivec3 brick, ivec3 bricks) {
    if (any(lessThan(brick, ivec3(0))) || any(greaterThanEqual(brick, bricks))) return -1;
    return (brick.z * bricks.y + brick.y) * bricks.x + brick.x;
}

// Texels of one block of each of some rows, added up. `words` modulo 2^32, which what is `upper`
// in them brings back: up to 65,537 numbers of 16 bits are added exactly.
struct RowSums {
    uvec4 words;
    uvec4 upper; // texels 1, 3, 5, 7
};

RowSums row_sums(uvec4 block) {
    return RowSums(block, block >> 16u);
}

RowSums added(RowSums a, RowSums b) {
    return RowSums(a.words + b.words, a.upper + b.upper);
}

// Texels 0, 2, 4, 6.
uvec4 lower(RowSums sums) {
    return sums.words - (sums.upper << 16u);
}

// A sum of fours as mean_of_eight takes two of: with half of what rounds a mean to the nearest.
RowSums with_half(RowSums fours) {
    return RowSums(fours.words + 0x20002u, fours.upper + 2u);
}

// Of two sums of fours: at most 2^19 - 4, so that the upper mean ends with its word.
uvec4 mean_of_eight(RowSums eights) {
    return eights.upper << 13u & 0xffff0000u | lower(eights) >> 3u;
}

// Two opacities from 0 to 1.
uint packed_pair(float even, float odd) {
    precise vec2 units = vec2(even, odd) * kOne + 0.5; // the same in all kernels
    return uint(units.x) | uint(units.y) << 16u;
}

#endif
