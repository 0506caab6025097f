#version 460
// One round of self-synchronisation: groups settle by themselves, given where the group before ended
// in the round before.

layout(local_size_x = 256) in;

uniform Params {
    uint subsequences;
    uint has_before;
} params;
#include "invocation.glsl"
#include "decode_settle.glsl"

readonly buffer Before { uvec4 states[]; } before;     // start and end
writeonly buffer After { uvec4 states[]; } after;
writeonly buffer Completed { uint words[]; } completed; // blocks, by subsequence

void main() {
    uint subsequence = group_index() * 256u + gl_LocalInvocationID.x;
    uint lane = gl_LocalInvocationID.x;
    uint count = params.subsequences;
    bool here = subsequence < count;
    Segment segment = segments.items[segment_of.words[min(subsequence, count - 1u)]];

    // The guess: a block's first code begins with the subsequence.
    uvec2 start = packed_state(State(first_bit_of(segment, subsequence), 0u, 0u));
    if (here) decode_to_end(unpacked_state(start), end_bit_of(segment, subsequence));
    uvec2 ahead = start;
    if (params.has_before != 0u && here && lane == 0u && subsequence > 0u)
        ahead = before.states[subsequence - 1u].zw;
    start = settle(subsequence, count, start, ahead);
    if (!here) return;
    after.states[subsequence] = uvec4(start, ends[lane].xy);
    completed.words[subsequence] = ends[lane].z;
}
