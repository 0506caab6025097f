// A word of the mask of solid cells: 32 cells along x. `dims`: cells of the field along each axis.
#include "invocation.glsl"

uint words_of_row(ivec3 dims) {
    return uint(dims.x + 31) >> 5;
}
// The first cell of the invocation's word; z is beyond the field where there is no such word.
ivec3 first_cell(ivec3 dims) {
    uint word = invocation_index();
    uint row = word / words_of_row(dims);
    return ivec3(32u * (word % words_of_row(dims)), row % uint(dims.y), row / uint(dims.y));
}
uint word_of(ivec3 cell, ivec3 dims) {
    return uint(cell.z * dims.y + cell.y) * words_of_row(dims) + uint(cell.x >> 5);
}
