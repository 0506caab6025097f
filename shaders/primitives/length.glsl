// How many elements a primitive works on. In C++, `bind_length` binds the count, and sets the
// member `most` of the kernel's parameters.
#ifndef PRIMITIVES_LENGTH
#define PRIMITIVES_LENGTH
layout(constant_id = 0) const uint has_count = 0u; // 1: the number is in a buffer

readonly buffer Count { uint words[]; } count;

// The number of elements: `most`, which the buffers have room for, or as many of them as there are.
uint element_count(uint most) {
    if (has_count != 0u) return min(count.words[0], most);
    return most;
}

// The index of a quad (uvec4) that exists: `quad` or, beyond the end, the last one. Loads that need
// no branch are under way together.
uint quad_within(uint quad, uint end) {
    return min(quad, max(end, 1u) - 1u >> 2u);
}

// The same of a word.
uint word_within(uint word, uint end) {
    return min(word, max(end, 1u) - 1u);
}

// Tiles that hold `elements` elements, without overflow.
uint tiles_of(uint elements, uint tile) {
    return elements / tile + (elements % tile != 0u ? 1u : 0u);
}
#endif
