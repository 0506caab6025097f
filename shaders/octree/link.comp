#version 460
// Each new block becomes the children of its node. Where there was no room for a block above it, it
// goes to the free list.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "key.glsl"
#include "pool.glsl"
#include "status.glsl"
#include "table.glsl"

uniform Params {
    uint parents; // slots
} params;

readonly buffer Keys { uint words[]; } keys;
readonly buffer Parents { uint slots[]; } parents;
readonly buffer ParentBlocks { uint numbers[]; } parent_blocks;
readonly buffer Made { uint slots[]; } made;
buffer Nodes { uvec2 values[]; } nodes;
writeonly buffer Blocks { uint parents[]; } blocks;
writeonly buffer Free { uint numbers[]; } free;
buffer Status { TreeStatus elements[]; } status;

uvec2 stored_key(uint point) {
    if (kKeyWords == 1u) return uvec2(keys.words[point], 0u);
    return uvec2(keys.words[2u * point], keys.words[2u * point + 1u]);
}

// The slot of the node at `level`, if it gets children in this update.
uint slot_of(uvec2 key, uint level) {
    uvec2 own = shortened(key, kDepth - level);
    uint slot = hash_of(own) & params.parents - 1u;
    for (uint i = 0u; i < kMaxProbes; ++i) {
        uint name = parents.slots[slot];
        if (name == 0u) return kNoSlot;
        if (shortened(stored_key(point_of(name)), kDepth - level_of(name)) == own) return slot;
        slot = slot + 1u & params.parents - 1u;
    }
    return kNoSlot;
}

// The node at `level`, all of whose ancestors had children before this update.
uint old_node(uvec2 key, uint level) {
    uint node = octant_at(key, 1u);
    for (uint at = 1u; at < level; ++at) {
        uint word = nodes.values[node].x;
        if ((word & kHasChildren) == 0u) return kNoNode;
        node = (word & kFirstChild) + octant_at(key, at + 1u);
    }
    return node;
}

// The node at `level` that gets children; none where one above it could not get any.
uint node_at(uvec2 key, uint level) {
    uint slot = slot_of(key, level - 1u);
    if (slot == kNoSlot) return old_node(key, level);
    uint block = parent_blocks.numbers[slot];
    if (block == kNoBlock) return kNoNode;
    if (status.elements[0].no_room > 0u)
        for (uint above = level - 1u; above > 0u; --above) {
            uint next = above > 1u ? slot_of(key, above - 1u) : kNoSlot;
            if (next == kNoSlot) {
                if (old_node(key, above) == kNoNode) return kNoNode;
                break;
            }
            if (parent_blocks.numbers[next] == kNoBlock) return kNoNode;
        }
    return 8u * block + octant_at(key, level);
}

void main() {
    uint i = invocation_index();
    uint base = status.elements[0].free;
    uint unused = status.elements[0].room - status.elements[0].blocks;
    if (i >= min(status.elements[0].wanted, base + unused)) return;
    uint slot = made.slots[i];
    uint name = parents.slots[slot];
    uvec2 key = stored_key(point_of(name));
    uint block = parent_blocks.numbers[slot];
    uint node = node_at(key, level_of(name));
    if (node == kNoNode) {
        uint left = base - min(base, status.elements[0].wanted);
        free.numbers[left + atomicAdd(status.elements[0].freed, 1u)] = block;
        return;
    }
    nodes.values[node].x = nodes.values[node].x | kHasChildren | 8u * block;
    blocks.parents[block] = node;
}
