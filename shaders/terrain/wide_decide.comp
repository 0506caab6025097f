#version 460
// Says which leaves are to be cut, with all that must be cut for their sake.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "bisect_params.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Count { uint words[2]; } count;
buffer Plans { uint words[]; } plans;

#include "wide_list.glsl"

void cut_all(uint leaf, TreeShape shape, uint leaves) {
    atomicOr(plans.words[leaf], kCutLeaf);
    uvec2 node = keys.nodes[leaf];
    while (true) {
        uvec2 across = wide_across(node, shape);
        if (across == kNoNode) return;
        uint other = leaf_of(across, leaves);
        uvec2 there = keys.nodes[other];
        uint depth = wide_depth(across);
        uint found = wide_depth(there);
        if (found > depth) return; // it has been cut before
        if (found == depth) {
            atomicOr(plans.words[other], kCutLeaf);
            return;
        }
        // Its parent is the leaf.
        atomicOr(plans.words[other], kCutLeaf | ((across.x & 1u) == 0u ? kCutFirst : kCutSecond));
        node = there;
    }
}

void main() {
    uint i = invocation_index();
    uint leaves = count.words[0];
    if (i >= leaves || params.frozen != 0u) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    uvec2 node = keys.nodes[i];
    uint depth = wide_depth(node);
    if (depth < shape.depth &&
        triangle_is_large(wide_triangle(node, shape), depth - shape.root_bits,
                          LodView(params.eye, params.scale), params.bounds, terms))
        cut_all(i, shape, leaves);
}
