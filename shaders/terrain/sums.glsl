// Concurrent binary trees: their size, sums over their bits, and what is said of them. C++:
// passes/terrain/bisection.hpp.
#ifndef TERRAIN_SUMS
#define TERRAIN_SUMS

struct TreeShape {
    uint depth;     // of the deepest triangles: 2^depth bits
    uint root_bits; // depth of the squares
    uint faces;     // squares
};

// The bits of a word that say where quarters of squares begin. They are not stored.
uint root_bit(uint word, TreeShape shape) {
    uint quarter_words = 1u << (shape.depth - shape.root_bits - 2u - 5u);
    bool begins = (word & (quarter_words - 1u)) == 0u;
    return begins && word < shape.faces * 4u * quarter_words ? 1u : 0u;
}

// Sums of a bit field over all nodes of a tree above its words, packed: a node over 2^h positions has
// 8 bits where h <= 7, 16 where h <= 14, else 32. Levels lie one after the other, from the words up.
// C++: `SumLayout`.

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

// The words of a bisection's status: `BisectionStatus` in passes/terrain/bisection.hpp.

const uint kListed = 0u;  // leaves that the list has
const uint kLeaves = 1u;  // of the tree
const uint kRefused = 2u; // cuts that would have made more leaves than there is room for
const uint kChanged = 3u; // cuts and merges of the last step
const uint kRoom = 4u;    // leaves that may still be made

const uint kLeafGroup = 64u;

#endif
