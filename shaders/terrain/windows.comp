#version 460
// Builds a whole tree at once, without going from level to level. On the ground a node is divided
// where an eye is nearer than some number of its sides, so that the divided nodes of a level lie in
// a window about each eye; and the ancestors of a divided node are divided. So each cell of the
// windows of all levels finds by itself whether it is divided, and which children are leaves.
//! variants KEY_WORDS=1,2

const uint kInvocations = 64u;
layout(local_size_x = 64) in;

#include "emit.glsl"

shared uint first_leaf;

// The least cell of a window along an axis: it reaches `half_width` cells to both sides of the eye.
uvec2 first_cell(uint eye, uint level, uint side, uint half_width) {
    uvec2 cell = params.eye_cell;
    if (eye > 0u) cell = eye_of(eyes.values[eye - 1u].xyz, params.ground, params.units).cell;
    uvec2 own = cell >> (31u - level);
    uvec2 last = uvec2((1u << level) - side);
    return min(own - min(own, uvec2(half_width)), last);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint group = gl_WorkGroupID.x;
    uint eye = gl_WorkGroupID.y;
    uint level = 0u;
    while (level + 1u < params.max_level && group >= params.windows[level + 1u].x) ++level;
    uvec4 window = params.windows[level];
    uint i = (group - window.x) * kInvocations + lane;
    uint side = window.y;
    uvec4 fates = uvec4(kGone);
    Node node = Node(level, 0u, uvec2(0u));
    if (i < side * side) {
        node.cell = first_cell(eye, level, side, window.z) + uvec2(i % side, i / side);
        // The first eye that wants the division makes it.
        bool divided = is_large_from(eye, node);
        for (uint other = 0u; other < eye && divided; ++other)
            divided = !is_large_from(other, node);
        if (divided)
            for (uint q = 0u; q < 4u; ++q) {
                Node child = child_of(node, q);
                fates[q] = is_divided(child) || is_hidden(child) ? kGone : kLeaf;
            }
    }
    bool is_root = level == 0u && i == 0u && eye == 0u && !is_divided(node);
    if (is_root) fates = uvec4(is_hidden(node) ? kGone : kLeaf, uvec3(kGone));
    uvec4 leaves = uvec4(equal(fates, uvec4(kLeaf)));
    uint before = exclusive_sum(leaves.x + leaves.y + leaves.z + leaves.w);
    if (group_sum == 0u) return;
    if (lane == 0u) {
        first_leaf = atomicAdd(status.count, group_sum);
        atomicMax(status.deepest, level + 1u);
    }
    barrier();
    uint at = first_leaf + before;
    for (uint q = 0u; q < 4u; ++q)
        if (fates[q] == kLeaf) {
            Node leaf = child_of(node, q);
            if (is_root) leaf = node;
            write_leaf(at++, leaf);
        }
}
