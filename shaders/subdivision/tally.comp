#version 460
// What each record makes: children, middles of edges, triangles.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint only_slivers = 0u;

#include "invocation.glsl"
#include "state.glsl"

readonly buffer RecordCount { uint value; } record_count;
readonly buffer Links { uvec4 elements[]; } links;
readonly buffer Verdicts { uint values[]; } verdicts;
writeonly buffer Marks { uint values[]; } marks;
writeonly buffer Owned { uint values[]; } owned;
writeonly buffer Emitted { uint values[]; } emitted;

uniform Params {
    uint room;
} params;

void main() {
    uint i = invocation_index();
    if (i >= min(record_count.value, params.room)) return;
    bool split = verdicts.values[i] != 0u;
    uvec3 link = links.elements[i].xyz;
    uint middles = 0u;
    uint joins = 0u;
    for (uint k = 0u; k < 3u; ++k) {
        bool boundary = link[k] == kLinkBoundary;
        bool coarser = link[k] == kLinkCoarser;
        uint other = link[k] >> 2;
        bool other_splits = !boundary && !coarser && verdicts.values[other] != 0u;
        // Of two records that split, the first makes the middle of their edge.
        if (split && (!other_splits || i < other)) middles |= 1u << k;
        // Which of two records joins an edge that one of them splits: the one that stays, by a fan, or
        // the one that is split, by a sliver.
        bool joined = split ? coarser || (only_slivers != 0u && !boundary && !other_splits)
                            : only_slivers == 0u && other_splits;
        if (joined) joins |= 1u << k;
    }
    marks.values[i] = middles | joins << kMarkJoins;
    owned.values[i] = bitCount(middles);
    emitted.values[i] = bitCount(joins) + (split ? 0u : 1u);
}
