// The size of a concurrent binary tree, and the bits that it has from the start.
#ifndef TERRAIN_TREE_SHAPE
#define TERRAIN_TREE_SHAPE

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

#endif
