#version 460
// Finds the leaves across the edges of each leaf of a pool: among those that it comes of, and what were
// their neighbours, have become.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "wide_node.glsl"
#include "pool.glsl"
#include "bisect_params.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer LinksBefore { uvec4 slots[]; } links_before; // across ab, bc, ac
readonly buffer Families { uvec4 slots[]; } families;
readonly buffer Origins { uvec2 slots[]; } origins;
writeonly buffer Links { uvec4 slots[]; } links;
writeonly buffer Used { uint words[]; } used; // 1: a leaf is there

bool is_across(uvec2 found, uvec2 beside, uvec2 finer) {
    return beside != kNoNode && (found == beside || found == wide_parent(beside) || found == finer);
}

void look_in(uvec4 family, WideBeside beside, inout uvec4 result) {
    for (int k = 0; k < 4 && family[k] != kNoSlot; ++k) {
        uvec2 found = keys.nodes[family[k]];
        // The edge ab of one is the edge bc of the other. Where that is cut, its child has the whole edge.
        if (is_across(found, beside.ab, wide_child(beside.ab, 1u))) result.x = family[k];
        if (is_across(found, beside.bc, wide_child(beside.bc, 0u))) result.y = family[k];
        if (is_across(found, beside.ac, beside.ac)) result.z = family[k];
    }
}

void main() {
    uint i = invocation_index();
    if (i >= params.capacity) return;
    uvec2 node = keys.nodes[i];
    used.words[i] = uint(node != kNoNode);
    uvec4 result = kNoSlots;
    if (node != kNoNode) {
        WideBeside beside = wide_beside(node, TreeShape(params.depth, params.root_bits, params.faces));
        uvec2 from = origins.slots[i];
        for (int j = 0; j < (from.x == from.y ? 1 : 2); ++j) {
            uint origin = from[j];
            look_in(families.slots[origin], beside, result);
            uvec4 others = links_before.slots[origin];
            for (int edge = 0; edge < 3; ++edge)
                if (others[edge] != kNoSlot) look_in(families.slots[others[edge]], beside, result);
        }
    }
    links.slots[i] = result;
}
