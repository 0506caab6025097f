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
// Of a group each, ten bits for each: leaves without divisions, divisions, holes and overlaps.
writeonly buffer Sums { uint values[]; } sums;

// All four children of the leaf's parent are leaves, and none of them is divided now.
bool can_merge(uint i, Node node, Leaves leaves) {
    uint quadrant = quadrant_of(node);
    Node parent = parent_of(node);
    if (i < quadrant || i - quadrant + 3u >= leaves.count) return false;
    for (uint q = 0u; q < 4u; ++q) {
        Node sibling = leaf_at(leaves, i - quadrant + q);
        if (!same_node(sibling, child_of(parent, q)) || is_divided(sibling)) return false;
    }
    return true;
}

uint fate_at(uint i, Node node, Leaves leaves) {
    if (is_divided(node)) return kDivide;
    if (node.level == 0u || is_divided(parent_of(node))) return kKeep;
    if (printed_rule == 0u && !can_merge(i, node, leaves)) return kKeep;
    return quadrant_of(node) == 0u ? kMerge : kVanish;
}

void main() {
    uint i = invocation_index();
    Leaves leaves = leaves_before();
    uint fate = kVanish;
    bool fits = true;
    if (i < leaves.count) {
        Node node = leaf_at(leaves, i);
        uvec2 expected = i == 0u ? uvec2(0u) : end_of(leaf_at(leaves, i - 1u));
        fits = begin_of(node) == expected;
        if (i + 1u == leaves.count) fits = fits && end_of(node) == uvec2(0u, params.faces << 24u);
        fate = fate_at(i, node, leaves);
        fates.values[i] = fate;
    }
    exclusive_sum(uint(fate != kVanish) | uint(fate == kDivide) << 10u | uint(!fits) << 20u);
    if (gl_LocalInvocationIndex == 0u && group_index() * kInvocations < params.capacity)
        sums.values[group_index()] = group_sum;
}
