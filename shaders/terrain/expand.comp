#version 460
// Divides the nodes of a level that are divided: their children become leaves, or nodes that the
// next level divides.
//! variants KEY_WORDS=1,2

const uint kInvocations = 256u;
layout(local_size_x = 256) in;

#include "emit.glsl"

readonly buffer Inner { TreeKey values[]; } inner;
writeonly buffer NextInner { TreeKey values[]; } next_inner;
readonly buffer Own { uvec4 value; } own_level; // of `levels` of roots.comp
buffer Next { uvec4 value; } next_level;

shared uint first_leaf;
shared uint first_inner;

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint count = own_level.value.w;
    uint i = gl_WorkGroupID.x * kInvocations + lane;
    uvec4 fates = uvec4(kGone);
    Node node = Node(0u, 0u, uvec2(0u));
    if (i < count) {
        node = node_of(inner.values[i]);
        for (uint q = 0u; q < 4u; ++q) fates[q] = fate_of(child_of(node, q));
    }
    uvec4 leaves = uvec4(equal(fates, uvec4(kLeaf)));
    uvec4 inners = uvec4(equal(fates, uvec4(kInner)));
    uint own = leaves.x + leaves.y + leaves.z + leaves.w |
               (inners.x + inners.y + inners.z + inners.w) << 16u;
    uint before = exclusive_sum(own);
    if (lane == 0u) {
        first_leaf = atomicAdd(status.count, group_sum & 0xffffu);
        uint divided = group_sum >> 16u;
        first_inner = 0u;
        if (divided > 0u) {
            first_inner = atomicAdd(next_level.value.w, divided);
            atomicMax(next_level.value.x,
                      (first_inner + divided + kInvocations - 1u) / kInvocations);
        }
        if (group_sum > 0u) atomicMax(status.deepest, params.level + 1u);
    }
    barrier();
    uint leaf_at = first_leaf + (before & 0xffffu);
    uint inner_at = first_inner + (before >> 16u);
    for (uint q = 0u; q < 4u; ++q) {
        if (fates[q] == kLeaf) write_leaf(leaf_at++, child_of(node, q));
        if (fates[q] == kInner) {
            if (inner_at < params.capacity) next_inner.values[inner_at] = key_of(child_of(node, q));
            ++inner_at;
        }
    }
}
