#version 460
// Says which leaves of a pool are to be cut, with all that must be cut for their sake.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "pool.glsl"
#include "bisect_params.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Links { uvec4 slots[]; } links; // across ab, bc, ac
buffer Plans { uint words[]; } plans;

// Which child of a leaf lies across the longest edge of the leaf in `slot`, which is one level deeper.
uint child_across(uint leaf, uint slot, TreeShape shape) {
    uvec4 beside = links.slots[leaf];
    if (beside.x != beside.y) return beside.x == slot ? 0u : 1u;
    return wide_across(keys.nodes[slot], shape).x & 1u; // both short edges are beside it
}

void cut_all(uint slot, TreeShape shape) {
    atomicOr(plans.words[slot], kCutLeaf);
    while (true) {
        uint other = links.slots[slot].z;
        if (other == kNoSlot) return;
        if (wide_depth(keys.nodes[other]) == wide_depth(keys.nodes[slot])) {
            atomicOr(plans.words[other], kCutLeaf);
            return;
        }
        atomicOr(plans.words[other],
                 kCutLeaf | (child_across(other, slot, shape) == 0u ? kCutFirst : kCutSecond));
        slot = other;
    }
}

void main() {
    uint i = invocation_index();
    if (i >= params.capacity || params.frozen != 0u) return;
    uvec2 node = keys.nodes[i];
    if (node == kNoNode) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    uint depth = wide_depth(node);
    if (depth < shape.depth &&
        triangle_is_large(wide_triangle(node, shape), depth - shape.root_bits,
                          LodView(params.eye, params.scale), params.bounds, terms))
        cut_all(i, shape);
}
