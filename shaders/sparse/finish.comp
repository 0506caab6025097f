#version 460
// How many groups work on the active bricks, and what became of the claims.

layout(local_size_x = 1) in;

uniform Params {
    uvec4 groups_a_brick[2]; // of each level of cells
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
} tally;
writeonly buffer Groups { uint words[]; } groups;
writeonly buffer Status { // SparseStatus in passes/sparse/store.hpp
    uint active_bricks;
    uint fresh;
    uint wanted;
    uint refused;
    uint evicted;
    uint capacity;
    uint evicts;
} status;

const uint kLevels = 7u; // kSparseLevels in passes/sparse/store.hpp

// As invocation.glsl numbers groups: rows of the most groups that every device has.
void set_groups(uint at, uint count) {
    const uint kRow = 65535u;
    groups.words[at] = min(count, kRow);
    groups.words[at + 1u] = (count + kRow - 1u) / kRow;
    groups.words[at + 2u] = 1u;
}

void main() {
    uint count = brick_list.words[0];
    uint wanted = claim_list.words[0];
    set_groups(0u, count);
    for (uint level = 0u; level < kLevels; ++level)
        set_groups(3u * level + 3u, count * params.groups_a_brick[level / 4u][level % 4u]);
    uint lost = wanted - count - tally.refused - tally.evicted; // claims beyond the room of their list
    status.active_bricks = count;
    status.fresh = tally.fresh;
    status.wanted = wanted;
    status.refused = tally.refused + lost;
    status.evicted = tally.evicted;
    status.capacity = params.capacity;
    status.evicts = params.evicts;
}
