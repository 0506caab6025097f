#version 460
// Lists the leaves of a tree, and says which are to be cut, and which pairs of pairs are to be merged.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "bisection.glsl"
#include "sums.glsl"
#include "bisect_params.glsl"

readonly buffer Bits { uint words[]; } bits;

uint bits_word(uint i) {
    return bits.words[i];
}

#include "leaves.glsl"

readonly buffer Status { uint words[]; } status;
writeonly buffer Keys { uint nodes[]; } keys;
writeonly buffer Plans { uint words[]; } plans;

bool is_cut(uint node, TreeShape shape) {
    if (!may_be_cut(node, shape)) return false;
    uint at = cut_position(node, shape);
    return (bits.words[at >> 5u] >> (at & 31u) & 1u) != 0u;
}

// Of the pair whose first leaf is given, with that across the edge that both were cut at.
bool is_to_be_merged(uint first, TreeShape shape, LodView view, SurfaceTerms terms) {
    uint parent = first >> 1u;
    if (level_of(first, shape) < 3u || is_cut(first + 1u, shape)) return false;
    uint other = nodes_beside(parent, shape).z;
    if (other != 0u && (other < parent || is_cut(2u * other, shape) ||
                        is_cut(2u * other + 1u, shape)))
        return false;
    for (int i = 0; i < 2; ++i) {
        uint above = i == 0 ? parent : other;
        if (above != 0u && is_to_be_cut(above, shape, view, params.bounds, terms)) return false;
    }
    return true;
}

void main() {
    uint i = invocation_index();
    if (i >= status.words[kListed]) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    SurfaceTerms terms = SurfaceTerms(params.ground, params.shape);
    LodView view = LodView(params.eye, params.scale);
    uint node = leaf_node(i, shape);
    uint plan = kKeep;
    if (params.frozen == 0u) {
        if (is_to_be_cut(node, shape, view, params.bounds, terms)) plan = kCut;
        else if ((node & 1u) == 0u && is_to_be_merged(node, shape, view, terms)) plan = kMerge;
    }
    keys.nodes[i] = node;
    plans.words[i] = plan;
}
