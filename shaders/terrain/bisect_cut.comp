#version 460
// Cuts the leaves that are to be cut, and whatever must be cut with them. Bits are set only, so the
// order of leaves does not matter.

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
    uint at = cut_position(node, shape);
    return (bits.words[at >> 5u] >> (at & 31u) & 1u) != 0u;
}

// Whether it was not cut before.
bool cut(uint node, TreeShape shape) {
    uint at = cut_position(node, shape);
    uint bit = 1u << (at & 31u);
    return (atomicOr(bits.words[at >> 5u], bit) & bit) == 0u;
}

// Cuts a leaf, then the triangle across its longest edge; if that is not there, its parent is, which
// must be cut first, and with it the triangle across its own longest edge, and so on. `counting`: only
// says how many cuts that takes.
uint cut_all(uint node, TreeShape shape, bool counting) {
    uint cuts = 0u;
    while (true) {
        if (counting ? !is_cut(node, shape) : cut(node, shape)) ++cuts;
        uint across = nodes_beside(node, shape).z;
        if (across == 0u || is_cut(across, shape)) return cuts;
        if (counting || cut(across, shape)) ++cuts;
        uint parent = across >> 1u;
        // Quarters are always there.
        if (level_of(across, shape) == 2u || is_cut(parent, shape)) return cuts;
        node = parent;
    }
}

bool take_room(uint cuts) {
    uint before = atomicAdd(status.words[kRoom], 0u);
    while (before >= cuts) {
        uint seen = atomicCompSwap(status.words[kRoom], before, before - cuts);
        if (seen == before) return true;
        before = seen;
    }
    return false;
}

void main() {
    uint i = invocation_index();
    if (i >= status.words[kListed] || plans.words[i] != kCut) return;
    TreeShape shape = TreeShape(params.depth, params.root_bits, params.faces);
    uint node = keys.nodes[i];
    if (!take_room(cut_all(node, shape, true))) {
        atomicAdd(status.words[kRefused], 1u);
        return;
    }
    uint cuts = cut_all(node, shape, false);
    if (cuts > 0u) atomicAdd(status.words[kChanged], cuts);
}
