#version 460
// Builds a whole tree in one group, level by level: the nodes of a level that are divided lie in
// shared memory, and in a buffer where there are many.
//! variants KEY_WORDS=1,2

const uint kInvocations = 256u;
layout(local_size_x = 256) in;

#define ONE_GROUP
#include "emit.glsl"

const uint kNear = 1024u; // nodes of a level in shared memory

buffer Far { TreeKey values[]; } far; // two levels, `capacity` each

shared TreeKey near[2u * kNear];
shared uint found_leaves;
shared uint found_inner;

TreeKey inner_at(uint list, uint i) {
    return i < kNear ? near[list * kNear + i] : far.values[list * params.capacity + i];
}

void keep_inner(uint list, uint i, Node node) {
    if (i < kNear)
        near[list * kNear + i] = key_of(node);
    else if (i < params.capacity)
        far.values[list * params.capacity + i] = key_of(node);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) {
        leaves_to_come = 0u;
        refusals = 0u;
        found_leaves = 0u;
        found_inner = 0u;
    }
    barrier();
    // The roots, one an invocation; then the children of what is divided.
    uint inner = 0u; // of this level
    uint deepest = 0u;
    for (uint level = 0u; level <= params.max_level; ++level) {
        uint from = level & 1u;
        uint count = level == 0u ? params.faces : inner;
        if (count == 0u) break;
        for (uint first = 0u; first < count; first += kInvocations) {
            uint i = first + lane;
            Node node = Node(0u, min(i, params.faces - 1u), uvec2(0u));
            uvec4 fates = uvec4(kGone);
            if (i < count) {
                if (level > 0u) node = node_of(inner_at(from, i));
                for (uint q = 0u; q < (level == 0u ? 1u : 4u); ++q) {
                    Node made = node;
                    if (level > 0u) made = child_of(node, q);
                    fates[q] = fate_of(made);
                }
            }
            uvec4 leaves = uvec4(equal(fates, uvec4(kLeaf)));
            uvec4 inners = uvec4(equal(fates, uvec4(kInner)));
            uint own = leaves.x + leaves.y + leaves.z + leaves.w |
                       (inners.x + inners.y + inners.z + inners.w) << 16u;
            uint before = exclusive_sum(own);
            uint leaf_at = found_leaves + (before & 0xffffu);
            uint to_at = found_inner + (before >> 16u);
            for (uint q = 0u; q < 4u; ++q) {
                if (fates[q] == kGone) continue;
                Node made = node;
                if (level > 0u) made = child_of(node, q);
                if (fates[q] == kLeaf)
                    write_leaf(leaf_at++, made);
                else
                    keep_inner(from ^ 1u, to_at++, made);
            }
            barrier();
            if (lane == 0u) {
                found_leaves += group_sum & 0xffffu;
                found_inner += group_sum >> 16u;
            }
            barrier();
        }
        memoryBarrierBuffer();
        barrier();
        inner = found_inner;
        deepest = level;
        barrier();
        if (lane == 0u) found_inner = 0u;
        barrier();
    }
    if (lane == 0u) {
        status.count = found_leaves;
        status.refused = refusals;
        status.resets = 0u;
        status.broken = 0u;
        status.deepest = deepest;
        status.total = found_leaves;
        status.mark = params.reset;
    }
}
