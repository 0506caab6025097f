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

// Tiles that hold `elements` elements, without overflow.
uint tiles_of(uint elements, uint tile) {
    return elements / tile + (elements % tile != 0u ? 1u : 0u);
}
