#version 460
// Children for the nodes at one level that have none and that leaves of this update are below: the
// structure level by level.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"
#include "new_block.glsl"

uniform Params {
    uint level;
} params;

readonly buffer Keys { uint words[]; } keys;
readonly buffer LeafList { uint points[]; } leaf_list;

uvec2 stored_key(uint point) {
    if (kKeyWords == 1u) return uvec2(keys.words[point], 0u);
    return uvec2(keys.words[2u * point], keys.words[2u * point + 1u]);
}

void main() {
    uint i = invocation_index();
    if (i >= status.elements[0].leaves) return;
    uvec2 key = stored_key(leaf_list.points[i]);
    uint node = octant_at(key, 1u);
    for (uint level = 1u; level < params.level; ++level) {
        uint word = nodes.values[node].x;
        if ((word & kHasChildren) == 0u) return; // there was no room
        node = (word & kFirstChild) + octant_at(key, level + 1u);
    }
    // Of all leaves below the node one changes the word. Nobody follows it before the next level.
    uint word = nodes.values[node].x;
    if ((word & kHasChildren) != 0u) return;
    if (atomicCompSwap(nodes.values[node].x, word, word | kHasChildren | kFirstChild) != word) return;
    uint block = taken_block(atomicAdd(status.elements[0].wanted, 1u));
    if (block == kNoBlock) {
        atomicAdd(status.elements[0].no_room, 1u);
        nodes.values[node].x = word; // another leaf's invocation may try again, and count again
        return;
    }
    make_block(block, node);
    nodes.values[node].x = word | kHasChildren | 8u * block;
}
