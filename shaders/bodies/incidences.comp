#version 460
// The bodies that each constraint moves, two a place.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Ordered { uint values[]; } ordered;
readonly buffer Ends { uvec2 values[]; } ends;
writeonly buffer Incident { uint values[]; } incident;
writeonly buffer Twice { uint count; } twice;

uniform Params {
    uint all_cells;
    uint count; // stands for nobody
} params;

const uint kFixed = 0x80000000u;

void main() {
    uint s = invocation_index();
    if (s == 0u) twice.count = 2u * tally.words[1];
    if (s >= tally.words[1]) return;
    uvec2 both = uvec2(kFixed);
    if (keys.values[s] < params.all_cells) both = ends.values[ordered.values[s]];
    incident.values[2u * s] = (both.x & kFixed) != 0u ? params.count : both.x;
    incident.values[2u * s + 1u] = (both.y & kFixed) != 0u ? params.count : both.y;
}
