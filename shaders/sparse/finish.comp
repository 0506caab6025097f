#version 460
// How many groups work on the active bricks, and what became of the claims.

layout(local_size_x = 32) in;

#include "groups.glsl"

uniform Params {
    // Of each level: groups of 256 cells, then groups by columns, and invocations by columns of wide
    // rows.
    uvec4 work_a_brick[6];
    uint capacity;
    uint evicts;
} params;

readonly buffer ClaimList { uint words[]; } claim_list;
readonly buffer BrickList { uint words[]; } brick_list;
readonly buffer Tally { // SparseTally in passes/sparse/store.cpp
    uint fresh;
    uint refused;
    uint taken;
    uint evicted;
    uint later;
} tally;
writeonly buffer Status { // SparseStatus in passes/sparse/store.hpp
    uint active_bricks;
    uint fresh;
    uint wanted;
    uint refused;
    uint evicted;
    uint capacity;
    uint evicts;
} status;

void main() {
    uint count = brick_list.words[0];
    uint i = gl_LocalInvocationID.x;
    set_all_groups(i, count, params.work_a_brick);
    if (i > 0u) return;
    uint wanted = claim_list.words[0];
    uint lost = wanted - count - tally.refused - tally.evicted; // claims beyond the room of their list
    status.active_bricks = count;
    status.fresh = tally.fresh;
    status.wanted = wanted;
    status.refused = tally.refused + lost;
    status.evicted = tally.evicted;
    status.capacity = params.capacity;
    status.evicts = params.evicts;
}
