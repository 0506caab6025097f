// Sums of a bit field over all nodes of a tree above its words, packed: a node over 2^h positions has
// 8 bits where h <= 7, 16 where h <= 14, else 32. Levels lie one after the other, from the words up.
// C++: `SumLayout`.
#ifndef TERRAIN_SUMS
#define TERRAIN_SUMS

// Bits of an entry, of nodes over 2^height positions.
uint sum_bits(uint height) {
    return height <= 7u ? 8u : height <= 14u ? 16u : 32u;
}

uint sum_words(uint tree_depth, uint depth) {
    return max((sum_bits(tree_depth - depth) << depth) >> 5u, 1u);
}

// Word at which the sums of nodes of a depth begin.
uint sums_begin(uint tree_depth, uint depth) {
    uint at = 0u;
    for (uint d = tree_depth - 5u; d > depth; --d) at += sum_words(tree_depth, d);
    return at;
}

#endif
