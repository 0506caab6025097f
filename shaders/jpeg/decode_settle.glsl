// A group decodes its 256 subsequences, each from where the one before ended, until no end changes.
#ifndef JPEG_DECODE_SETTLE
#define JPEG_DECODE_SETTLE
#include "decode_stream.glsl"

shared uvec3 ends[256]; // packed state, blocks completed
shared uint changes;

// Puts the end of the subsequence into `ends`. A value that leaves a loop with an invocation is
// not safe on every device, so it is stored within.
void decode_to_end(State state, uint end_bit) {
    uint completed = 0u;
    ends[gl_LocalInvocationID.x] = uvec3(packed_state(state), 0u);
    for (uint i = 0u; i < kSubsequenceBits; ++i) { // a code has at least a bit
        if (state.bit >= end_bit) break;
        state = behind(state, next_code(state));
        if (state.k == 64u) {
            state = next_block(state);
            ++completed;
        }
        if (state.bit >= end_bit)
            ends[gl_LocalInvocationID.x] = uvec3(packed_state(state), completed);
    }
}

// `start`: from where the subsequence was decoded, its end being in `ends`; `before`: where the one
// before the group's first ended. Returns from where it was decoded last. All must call it.
uvec2 settle(uint subsequence, uint count, uvec2 start, uvec2 before) {
    uint lane = gl_LocalInvocationID.x;
    bool here = subsequence < count;
    Segment segment = segments.items[segment_of.words[min(subsequence, count - 1u)]];
    bool first = subsequence == segment.first_subsequence;
    for (uint round = 0u; round <= 256u; ++round) {
        if (lane == 0u) changes = 0u;
        barrier();
        uvec2 wanted = lane > 0u ? ends[lane - 1u].xy : before;
        if (first) wanted = packed_state(first_state(segment));
        barrier();
        if (here && wanted != start) {
            start = wanted;
            decode_to_end(unpacked_state(start), end_bit_of(segment, subsequence));
            atomicAdd(changes, 1u);
        }
        barrier();
        uint changed = changes;
        barrier();
        if (changed == 0u) break;
    }
    return start;
}
#endif
