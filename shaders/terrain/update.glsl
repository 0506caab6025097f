// What both halves of a step of a tree know of its leaves. Include this below the layout of the
// group, key.glsl, and parameters with `faces`, `capacity` and `reset` of tree.glsl.
#ifndef TERRAIN_UPDATE
#define TERRAIN_UPDATE

#include "invocation.glsl"
#include "scan.glsl"

readonly buffer Before { TreeKey values[]; } before; // leaves, in the order of key.glsl
readonly buffer BeforeStatus {
    uint count;
    uint refused;
    uint resets;
    uint broken;
    uint deepest;
    uint total;
    uint mark;
} before_status;

const uint kVanish = 0u; // the parent takes the leaf's place, and is written by another one
const uint kKeep = 1u;
const uint kDivide = 2u;
const uint kMerge = 3u; // the parent is written in place of the leaf

// Whether the tree begins with its roots: there was none, or it was reset.
bool begins() {
    uint count = before_status.count;
    return count == 0u || count > params.capacity || before_status.mark != params.reset;
}

uint leaf_count() {
    return begins() ? params.faces : before_status.count;
}

Node leaf_at(uint i) {
    if (begins()) return Node(0u, i, uvec2(0u));
    return node_of(before.values[i]);
}

#endif
