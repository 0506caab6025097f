// Counts the triangles of cells, and notes which cells have any.
#include "bits.glsl"
#include "cells.glsl"

buffer Counts { uint values[]; } counts; // of a cell: its triangles, or those that are to come
buffer Words { uint values[]; } words;
buffer Blocks { uint words[]; } blocks;

// Returns what was there before.
uint set_bit(uint box, uvec2 bit) {
    return atomicOr(blocks.words[2u * box + bit.x], 1u << bit.y);
}

// The first triangle of a cell sets its bits, so that few atomic operations meet in a word.
void count_in_cell(uvec3 cell, uvec3 dims) {
    if (atomicAdd(counts.values[key_of(cell, dims)], 1u) != 0u) return;
    uvec2 bit = bit_of(cell, dims);
    atomicOr(words.values[bit.x], 1u << bit.y);
    if (set_bit(block_of(cell, dims), bit_in_box(cell)) != 0u) return;
    set_bit(region_of(cell, dims), bit_in_box(cell >> kBlockBits));
}
