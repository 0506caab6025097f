// Leaves of a concurrent binary tree, by their number. Above: terrain/bisection.glsl.
#ifndef TERRAIN_LEAVES
#define TERRAIN_LEAVES

#include "sums.glsl"

readonly buffer Sums { uint words[]; } sums;

// Above: `uint bits_word(uint i)`, a word of the field.
uint sum_of(uint begin, uint index, uint width) {
    if (width == 32u) return sums.words[begin + index];
    uint each = 32u / width;
    return sums.words[begin + index / each] >> (index % each * width) & ((1u << width) - 1u);
}

// The node of leaf i, below the number of leaves.
uint leaf_node(uint i, TreeShape shape) {
    uint begin = sums_begin(shape.depth, 0u);
    uint count = sums.words[begin];
    uint node = 1u;
    for (uint depth = 1u; depth <= shape.depth - 5u; ++depth) {
        begin -= sum_words(shape.depth, depth);
        uint left = sum_of(begin, (node << 1u) - (1u << depth), sum_bits(shape.depth - depth));
        bool right = i >= left;
        node = node << 1u | (right ? 1u : 0u);
        i -= right ? left : 0u;
        count = right ? count - left : left;
        if (count == 1u) return node;
    }
    uint word = node - (1u << (shape.depth - 5u));
    uint set = bits_word(word) | root_bit(word, shape);
    for (uint width = 16u; count > 1u; width >>= 1u) {
        uint left = uint(bitCount(set & ((1u << width) - 1u)));
        bool right = i >= left;
        node = node << 1u | (right ? 1u : 0u);
        i -= right ? left : 0u;
        count = right ? count - left : left;
        set = right ? set >> width : set & ((1u << width) - 1u);
    }
    return node;
}

#endif
