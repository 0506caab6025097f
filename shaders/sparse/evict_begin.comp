#version 460
// Whether a pool is too small for what was claimed, and then how many groups look for the cut between
// the claims that get a slot and the others.

layout(local_size_x = 1) in;

#include "evict.glsl"

uniform Params { uint capacity; } params;

readonly buffer ClaimList { uint words[]; } claim_list;
writeonly buffer Groups { uint words[]; } groups;

// As invocation.glsl numbers groups: rows of the most groups that every device has.
const uint kRow = 65535u;

void main() {
    uint count = min(claim_list.words[0], (claim_list.words.length() - 4u) / 2u);
    bool full = count > params.capacity;
    search.cut = uvec2(0u, 0xffffffffu); // all are chosen
    search.needed = full ? params.capacity : 0u;
    uint needed = full ? (count + 255u) / 256u : 0u;
    groups.words[0] = min(needed, kRow);
    groups.words[1] = (needed + kRow - 1u) / kRow;
    groups.words[2] = 1u;
}
