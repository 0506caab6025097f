#version 460
// One round of self-synchronisation. In the first one each subsequence begins with a guess; in the
// others it goes on from where the group before ended in the round before, and only what begins
// elsewhere then is decoded again.
//! variants AGAIN=0,1

layout(local_size_x = 256) in;

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
    uint lane = gl_LocalInvocationID.x;
    uint count = params.subsequences;
    uint number = group_index() * kStride + lane; // of the subsequence, and kWarmUp more
    bool here = number >= kWarmUp && number - kWarmUp < count;
    bool own = here && lane >= kWarmUp;
    uint subsequence = min(max(number, kWarmUp) - kWarmUp, count - 1u);

#if AGAIN
    uvec4 state = before.states[subsequence];
    uvec2 start = state.xy;
    ends[lane] = uvec3(state.zw, completed.words[subsequence]);
    uint first = min(group_index() * kStride, count - 1u);
    uvec2 ahead = before.states[max(first, 1u) - 1u].zw;
    if (begins_elsewhere(first, before.states[first].xy, ahead)) { // the same for all of the group
        load_tables();
        start = settle(subsequence, own, start);
    }
#else
    load_tables();
    // The guess: a block's first code begins with the subsequence.
    Segment segment = segments.items[segment_of.words[subsequence]];
    uvec2 start = packed_state(state_at(first_bit_of(segment, subsequence), 0u, 0u));
    if (here) decode_to_end(unpacked_state(start), end_bit_of(segment, subsequence));
    start = settle(subsequence, here, start);
#endif
    if (!own) return;
    after.states[subsequence] = uvec4(start, ends[lane].xy);
    completed.words[subsequence] = ends[lane].z;
}
