#version 460
// One round of self-synchronisation. In the first one each subsequence begins with a guess; in the
// others it goes on from where the group before ended in the round before, and only what begins
// elsewhere then is decoded again.
//! variants AGAIN=0,1

layout(local_size_x = 256) in;

uniform Params {
    uint subsequences;
} params;
#include "invocation.glsl"
#include "decode_settle.glsl"

#if AGAIN
readonly buffer Before { uvec4 states[]; } before;     // start and end
buffer Completed { uint words[]; } completed;          // blocks, by subsequence
#else
writeonly buffer Completed { uint words[]; } completed;
#endif
writeonly buffer After { uvec4 states[]; } after;

void main() {
    uint subsequence = group_index() * 256u + gl_LocalInvocationID.x;
    uint lane = gl_LocalInvocationID.x;
    uint count = params.subsequences;
    bool here = subsequence < count;
    Segment segment = segments.items[segment_of.words[min(subsequence, count - 1u)]];

#if AGAIN
    uint place = min(subsequence, count - 1u);
    uvec4 state = before.states[place];
    uvec2 start = state.xy;
    ends[lane] = uvec3(state.zw, completed.words[place]);
    uvec2 ahead = start;
    if (lane == 0u && subsequence > 0u) ahead = before.states[subsequence - 1u].zw;
#else
    // The guess: a block's first code begins with the subsequence.
    uvec2 start = packed_state(State(first_bit_of(segment, subsequence), 0u, 0u));
    if (here) decode_to_end(unpacked_state(start), end_bit_of(segment, subsequence));
    uvec2 ahead = start;
#endif
    start = settle(subsequence, count, start, ahead);
    if (!here) return;
    after.states[subsequence] = uvec4(start, ends[lane].xy);
    completed.words[subsequence] = ends[lane].z;
}
