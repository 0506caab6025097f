#version 460
// First half of a step of a tree: what becomes of each leaf, and the sums of each group. Also looks
// whether the leaves cover everything once: see key.glsl.
//! variants KEY_WORDS=1,2

const uint kInvocations = 256u;
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint printed_rule = 0u; // 1: siblings are merged without a look at
                                                      // whether all four are leaves

#include "tree.glsl"
#include "update.glsl"

writeonly buffer Fates { uint values[]; } fates;
// Of a group: leaves without divisions; divisions, and, 16 bits up, holes and overlaps.
writeonly buffer Sums { uvec2 values[]; } sums;

shared uint group_faults;

// All four children of the leaf's parent are leaves, and none of them is divided now.
bool can_merge(uint i, Node node, uint count) {
    uint quadrant = quadrant_of(node);
    Node parent = parent_of(node);
    if (i < quadrant || i - quadrant + 3u >= count) return false;
    for (uint q = 0u; q < 4u; ++q) {
        Node sibling = leaf_at(i - quadrant + q);
        if (!same_node(sibling, child_of(parent, q)) || is_divided(sibling)) return false;
    }
    return true;
}

uint fate_at(uint i, Node node, uint count) {
    if (is_divided(node)) return kDivide;
    if (node.level == 0u || is_divided(parent_of(node))) return kKeep;
    if (printed_rule == 0u && !can_merge(i, node, count)) return kKeep;
    return quadrant_of(node) == 0u ? kMerge : kVanish;
}

void main() {
    uint i = invocation_index();
    uint count = leaf_count();
    uint fate = kVanish;
    if (gl_LocalInvocationIndex == 0u) group_faults = 0u;
    barrier();
    if (i < count) {
        Node node = leaf_at(i);
        uvec2 expected = i == 0u ? uvec2(0u) : end_of(leaf_at(i - 1u));
        bool fits = begin_of(node) == expected;
        if (i + 1u == count) fits = fits && end_of(node) == uvec2(0u, params.faces << 24u);
        if (!fits) atomicAdd(group_faults, 1u);
        fate = fate_at(i, node, count);
        fates.values[i] = fate;
    }
    uint sum = exclusive_sum(uint(fate != kVanish) | uint(fate == kDivide) << 16u);
    if (gl_LocalInvocationIndex == 0u && group_index() * kInvocations < params.capacity)
        sums.values[group_index()] = uvec2(group_sum & 0xffffu, group_sum >> 16u | group_faults << 16u);
}
