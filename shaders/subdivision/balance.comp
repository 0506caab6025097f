#version 460
// Which records are split where levels of neighbours are to differ by one at most: none beside a coarser
// one, and also those with a neighbour that needs two levels, lest it has to wait for them.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "state.glsl"

readonly buffer RecordCount { uint value; } record_count;
readonly buffer Links { uvec4 elements[]; } links;
readonly buffer Wishes { uint values[]; } wishes; // levels that are needed, 0 to 2
writeonly buffer Verdicts { uint values[]; } verdicts;

uniform Params {
    uint room;
} params;

void main() {
    uint i = invocation_index();
    if (i >= min(record_count.value, params.room)) return;
    uvec3 link = links.elements[i].xyz;
    bool split = wishes.values[i] != 0u;
    bool beside_coarser = false;
    for (uint k = 0u; k < 3u; ++k) {
        if (link[k] == kLinkBoundary) continue;
        if (link[k] == kLinkCoarser) beside_coarser = true;
        else if (wishes.values[link[k] >> 2] == 2u) split = true;
    }
    verdicts.values[i] = split && !beside_coarser ? 1u : 0u;
}
