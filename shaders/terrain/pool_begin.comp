#version 460
// Goes on with the leaves of the execution before, or begins with quarters of squares, each in the slot of
// its number.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "wide_node.glsl"
#include "pool.glsl"
#include "bisect_params.glsl"

readonly buffer Before { uvec2 nodes[]; } before;
readonly buffer BeforeLinks { uvec4 slots[]; } before_links;
readonly buffer BeforeMark { uint words[2]; } before_mark; // 1; reset
writeonly buffer Keys { uvec2 nodes[]; } keys;
writeonly buffer Links { uvec4 slots[]; } links; // across ab, bc, ac
writeonly buffer Mark { uint words[2]; } mark;

uint slot_of_quarter(uvec2 node) {
    return node == kNoNode ? kNoSlot : node.x - (1u << (params.root_bits + 2u));
}

void main() {
    uint i = invocation_index();
    if (i == 0u) {
        mark.words[0] = 1u;
        mark.words[1] = params.reset;
    }
    if (i >= params.capacity) return;
    if (before_mark.words[0] != 0u && before_mark.words[1] == params.reset) {
        keys.nodes[i] = before.nodes[i];
        links.slots[i] = before_links.slots[i];
        return;
    }
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    bool there = i < 4u * params.faces;
    uvec2 node = there ? uvec2(quarter_node(i >> 2u, i & 3u, shape), 0u) : kNoNode;
    uvec4 slots = kNoSlots;
    if (there) {
        WideBeside beside = wide_beside(node, shape);
        slots.xyz = uvec3(slot_of_quarter(beside.ab), slot_of_quarter(beside.bc),
                          slot_of_quarter(beside.ac));
    }
    keys.nodes[i] = node;
    links.slots[i] = slots;
}
