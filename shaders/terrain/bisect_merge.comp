#version 460
// Merges pairs that are to be merged, unless one of the four leaves has been cut for another's sake.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "surface.glsl"
#include "bisection.glsl"
#include "sums.glsl"
#include "bisect_params.glsl"

buffer Bits { uint words[]; } bits;
buffer Status { uint words[]; } status;
readonly buffer Keys { uint nodes[]; } keys;
readonly buffer Plans { uint words[]; } plans;

bool is_cut(uint node, TreeShape shape) {
    if (!may_be_cut(node, shape)) return false;
    uint at = cut_position(node, shape);
    return (bits.words[at >> 5u] >> (at & 31u) & 1u) != 0u;
}

void uncut(uint node, TreeShape shape) {
    uint at = cut_position(node, shape);
    atomicAnd(bits.words[at >> 5u], ~(1u << (at & 31u)));
}

// The bits of leaves: no merge of this step clears them, since they belong to leaves of the list.
bool is_pair(uint parent, TreeShape shape) {
    return !is_cut(2u * parent, shape) && !is_cut(2u * parent + 1u, shape);
}

void main() {
    uint i = invocation_index();
    if (i >= status.words[kListed] || plans.words[i] != kMerge) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    uint parent = keys.nodes[i] >> 1u;
    uint other = nodes_beside(parent, shape).z;
    if (!is_pair(parent, shape) || (other != 0u && !is_pair(other, shape))) return;
    uncut(parent, shape);
    if (other != 0u) uncut(other, shape);
    atomicAdd(status.words[kChanged], other != 0u ? 2u : 1u);
}
