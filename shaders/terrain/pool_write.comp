#version 460
// Writes the leaves that those of a pool become, and where they are: the first in the slot that there
// was, others in free ones. Without room for all of them none changes.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "wide_node.glsl"
#include "pool.glsl"
#include "bisect_params.glsl"
#include "sums.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Links { uvec4 slots[]; } links; // across ab, bc, ac
readonly buffer Fates { uint words[]; } fates;
readonly buffer Needs { uint words[]; } needs; // slots taken by those before
readonly buffer Total { uint word; } total;
readonly buffer FreeOffsets { uint words[]; } free_offsets; // free slots before
readonly buffer FreeTotal { uint word; } free_total;
readonly buffer FreeList { uint slots[]; } free_list;
writeonly buffer NextKeys { uvec2 nodes[]; } next_keys;
writeonly buffer Families { uvec4 slots[]; } families; // that a leaf has become
writeonly buffer Origins { uvec2 slots[]; } origins;   // one or two leaves that a new one comes of
buffer Status { uint words[]; } status;

uvec4 write_cut(uint i, uvec2 node, uint fate) {
    uvec4 slots = kNoSlots;
    uint taken = needs.words[i];
    uint made = 0u;
    for (uint right = 0u; right < 2u; ++right) {
        uvec2 child = wide_child(node, right);
        bool is_cut = (fate >> (1u + right) & 1u) != 0u;
        for (uint k = 0u; k < (is_cut ? 2u : 1u); ++k) {
            uint slot = made == 0u ? i : free_list.slots[taken + made - 1u];
            next_keys.nodes[slot] = is_cut ? wide_child(child, k) : child;
            origins.slots[slot] = uvec2(i);
            slots[made++] = slot;
        }
    }
    atomicAdd(status.words[kChanged], made - 1u);
    return slots;
}

void main() {
    uint i = invocation_index();
    bool fits = total.word <= free_total.word;
    if (i == 0u && !fits) status.words[kRefused] = total.word - free_total.word;
    if (i >= params.capacity) return;
    uvec2 node = keys.nodes[i];
    if (node == kNoNode) {
        if (!fits || free_offsets.words[i] >= total.word) next_keys.nodes[i] = kNoNode;
        return;
    }
    uint fate = fits ? fates.words[i] : 0u;
    uvec4 family = uvec4(i, kNoSlots.yzw);
    if ((fate & kCutLeaf) != 0u) {
        family = write_cut(i, node, fate);
    } else if (fate == kMergeFirst) {
        next_keys.nodes[i] = wide_parent(node);
        origins.slots[i] = uvec2(i, links.slots[i].y);
    } else if (fate == kMergeSecond) {
        next_keys.nodes[i] = kNoNode;
        family.x = links.slots[i].x;
        atomicAdd(status.words[kChanged], 1u);
    } else {
        next_keys.nodes[i] = node;
        origins.slots[i] = uvec2(i);
    }
    families.slots[i] = family;
}
