#version 460
// What becomes of each leaf of a pool, how many slots that takes, and which slots are free.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "pool.glsl"
#include "bisect_params.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Links { uvec4 slots[]; } links; // across ab, bc, ac
readonly buffer Plans { uint words[]; } plans;
writeonly buffer Fates { uint words[]; } fates; // plans, and merges
writeonly buffer Needs { uint words[]; } needs; // slots beside the leaf's own
writeonly buffer Free { uint words[]; } free;   // 1: no leaf is there

bool is_large(uvec2 node, TreeShape shape) {
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    return triangle_is_large(wide_triangle(node, shape), wide_depth(node) - shape.root_bits,
                             LodView(params.eye, params.scale), params.bounds, terms);
}

// Two leaves are the children of one node, and neither is cut.
bool is_pair(uint first, uint second) {
    uvec2 node = keys.nodes[first];
    return (node.x & 1u) == 0u && keys.nodes[second] == uvec2(node.x | 1u, node.y) &&
           (plans.words[first] | plans.words[second]) == 0u;
}

// The parent's longest edge is halved by the edge ab of its first child and bc of its second, and so the
// leaves across are the other pair, where these are as deep.
bool is_merged(uint i, uvec2 node, TreeShape shape) {
    uint depth = wide_depth(node);
    if (depth - shape.root_bits < 3u) return false;
    bool is_first = (node.x & 1u) == 0u;
    uint sibling = is_first ? links.slots[i].y : links.slots[i].x;
    uint first = is_first ? i : sibling;
    uint second = is_first ? sibling : i;
    if (!is_pair(first, second) || is_large(wide_parent(node), shape)) return false;
    uint other_second = links.slots[first].x;
    uint other_first = links.slots[second].y;
    if (other_first == kNoSlot || other_second == kNoSlot) return true;
    uvec2 other = keys.nodes[other_first];
    return wide_depth(other) == depth && is_pair(other_first, other_second) &&
           !is_large(wide_parent(other), shape);
}

void main() {
    uint i = invocation_index();
    if (i >= params.capacity) return;
    uvec2 node = keys.nodes[i];
    free.words[i] = uint(node == kNoNode);
    uint fate = 0u;
    uint need = 0u;
    if (node != kNoNode) {
        TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
        fate = plans.words[i];
        if (fate != 0u) need = 1u + (fate >> 1u & 1u) + (fate >> 2u & 1u);
        else if (params.frozen == 0u && is_merged(i, node, shape))
            fate = (node.x & 1u) == 0u ? kMergeFirst : kMergeSecond;
    }
    fates.words[i] = fate;
    needs.words[i] = need;
}
