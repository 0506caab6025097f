#version 460
// Counts the leaves that each leaf becomes: itself, its children and theirs, or with its sibling, and the
// pair across, half of their parent.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "wide_node.glsl"
#include "bisect_params.glsl"

readonly buffer Keys { uvec2 nodes[]; } keys;
readonly buffer Count { uint words[2]; } count;
readonly buffer Plans { uint words[]; } plans;
writeonly buffer Sizes { uint words[]; } sizes; // leaves that it becomes; 4 bits

#include "wide_list.glsl"

bool is_pair(uint first, uvec2 parent, uint leaves) {
    return first + 1u < leaves && keys.nodes[first] == wide_child(parent, 0u) &&
           keys.nodes[first + 1u] == wide_child(parent, 1u) && plans.words[first] == 0u &&
           plans.words[first + 1u] == 0u;
}

bool is_large(uvec2 node, TreeShape shape) {
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    return triangle_is_large(wide_triangle(node, shape), wide_depth(node) - shape.root_bits,
                             LodView(params.eye, params.scale), params.bounds, terms);
}

bool is_merged(uint i, TreeShape shape, uint leaves) {
    uvec2 node = keys.nodes[i];
    if (wide_depth(node) - shape.root_bits < 3u) return false;
    uvec2 parent = wide_parent(node);
    uint first = i - (node.x & 1u);
    if (!is_pair(first, parent, leaves) || is_large(parent, shape)) return false;
    uvec2 other = wide_across(parent, shape);
    if (other == kNoNode) return true;
    return is_pair(leaf_of(wide_child(other, 0u), leaves), other, leaves) && !is_large(other, shape);
}

void main() {
    uint i = invocation_index();
    if (i >= params.capacity) return;
    uint leaves = count.words[0];
    if (i >= leaves) {
        sizes.words[i] = 0u;
        return;
    }
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    uint plan = plans.words[i];
    uint size = 1u;
    if (plan != 0u) size = 2u + (plan >> 1u & 1u) + (plan >> 2u & 1u);
    else if (params.frozen == 0u && is_merged(i, shape, leaves))
        size = (keys.nodes[i].x & 1u) == 0u ? 1u : 0u;
    sizes.words[i] = size;
}
