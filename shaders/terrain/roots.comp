#version 460
// Begins a tree that is built level by level: its roots, and the counts of all levels.
//! variants KEY_WORDS=1,2

const uint kInvocations = 64u;
layout(local_size_x = 64) in;

#include "emit.glsl"

writeonly buffer Inner { TreeKey values[]; } inner; // nodes of level 0 that are divided
// Of a level each, kLevelStride apart: groups along x, y and z, and how many nodes are divided.
const uint kLevelStride = 16u; // 256 bytes
writeonly buffer Levels { uvec4 values[]; } levels;

void main() {
    uint lane = gl_LocalInvocationIndex;
    Node node = Node(0u, min(lane, params.faces - 1u), uvec2(0u));
    uint fate = lane < params.faces ? fate_of(node) : kGone;
    uint before = exclusive_sum(fate == kLeaf ? 1u : fate == kInner ? 0x10000u : 0u);
    if (fate == kLeaf) write_leaf(before & 0xffffu, node);
    if (fate == kInner) inner.values[before >> 16u] = key_of(node);
    if (lane == 0u) {
        status.count = group_sum & 0xffffu;
        status.mark = params.reset;
    }
    uint divided = group_sum >> 16u;
    if (lane < kMaxLevel + 1u)
        levels.values[lane * kLevelStride] = lane == 0u ? uvec4(min(divided, 1u), 1u, 1u, divided)
                                         : uvec4(0u, 1u, 1u, 0u);
}
