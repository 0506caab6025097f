#version 460
// The next level of a pyramid: a voxel stands for two by two by two. Voxels beyond the grid are not
// set.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint kAll = 0u; // 1: set where all are set; 0: where any is

uniform Params {
    uvec3 source_dims;
    uvec3 dims;
} params;

#include "invocation.glsl"
#include "voxel/grid.glsl"

readonly buffer Source { uint values[]; } source;
writeonly buffer Words { uint values[]; } words;

uint source_word(uvec3 at) { // z counts words
    if (at.x >= params.source_dims.x || at.y >= params.source_dims.y ||
        at.z >= row_words(params.source_dims))
        return 0u;
    return source.values[row_of(params.source_dims, at.x, at.y) + at.z];
}

uint combine(uint a, uint b) {
    return kAll != 0u ? a & b : a | b;
}

// Four rows side by side, and neighbours in them: the even bits of the result.
uint pairs(uvec3 at) {
    uint word = combine(combine(source_word(at), source_word(at + uvec3(1u, 0u, 0u))),
                        combine(source_word(at + uvec3(0u, 1u, 0u)),
                                source_word(at + uvec3(1u, 1u, 0u))));
    return combine(word, word >> 1u) & 0x55555555u;
}

// The even bits side by side in the lower half.
uint even_bits(uint word) {
    word = (word | word >> 1u) & 0x33333333u;
    word = (word | word >> 2u) & 0x0f0f0f0fu;
    word = (word | word >> 4u) & 0x00ff00ffu;
    return (word | word >> 8u) & 0x0000ffffu;
}

void main() {
    uint at = invocation_index();
    uint row = row_words(params.dims);
    if (at >= params.dims.x * params.dims.y * row) return;
    uvec3 first = 2u * uvec3(at / row % params.dims.x, at / row / params.dims.x, at % row);
    words.values[at] = even_bits(pairs(first)) | even_bits(pairs(first + uvec3(0u, 0u, 1u))) << 16u;
}
