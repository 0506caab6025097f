#version 460
// The second phase where columns run along z: an invocation sweeps the words of a row.

layout(local_size_x = 64) in;

uniform Params {
    uvec3 dims;
} params;

#include "invocation.glsl"
#include "voxel/grid.glsl"

buffer Words { uint values[]; } words;

// To each bit the parity of it and those above.
uint parity_above(uint word) {
    word ^= word >> 1u;
    word ^= word >> 2u;
    word ^= word >> 4u;
    word ^= word >> 8u;
    return word ^ word >> 16u;
}

void main() {
    uint row = invocation_index();
    if (row >= params.dims.x * params.dims.y) return;
    uint first = row * row_words(params.dims);
    uint above = 0u;
    for (uint word = row_words(params.dims); word > 0u; --word) {
        uint parity = parity_above(words.values[first + word - 1u]) ^ above;
        above = (parity & 1u) != 0u ? 0xffffffffu : 0u;
        words.values[first + word - 1u] = parity & (word == row_words(params.dims)
                                                        ? bits_between(0u, params.dims.z - 1u & 31u)
                                                        : 0xffffffffu);
    }
}
