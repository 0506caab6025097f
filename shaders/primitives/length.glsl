// How many elements a primitive works on, and which group this is. Before the include, declare the
// block `Params` with the member `uint most`; in C++, `bind_length` fills all of it.
layout(constant_id = 0) const uint counted = 0u; // 1: the number is in a buffer

readonly buffer Count { uint words[]; } count;

// The number of elements, never more than the buffers have room for.
uint element_count() {
    return counted != 0u ? min(count.words[0], params.most) : params.most;
}

// The number of this group where the groups are folded into two dimensions. There may be more
// groups than are needed.
uint group_index() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
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
