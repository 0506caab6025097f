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

struct Leaves {
    bool are_roots; // there was no tree, or it was reset
    uint count;
};

Leaves leaves_before() {
    uint count = before_status.count;
    bool begins = count == 0u || count > params.capacity || before_status.mark != params.reset;
    return Leaves(begins, begins ? params.faces : count);
}

Node leaf_at(Leaves leaves, uint i) {
    if (leaves.are_roots) return Node(0u, i, uvec2(0u));
    return node_of(before.values[i]);
}

// Where leaf i begins: `begin_of`.
uvec2 begin_at(Leaves leaves, uint i) {
    return leaves.are_roots ? uvec2(0u, i << 24u) : begin_of_key(before.values[i]);
}

#endif
