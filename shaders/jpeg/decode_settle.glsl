// A group decodes subsequences, each from where the one before ended, until no end changes.
#ifndef JPEG_DECODE_SETTLE
#define JPEG_DECODE_SETTLE
#extension GL_EXT_control_flow_attributes : require
#include "decode_stream.glsl"

// A group has 256 subsequences, the first of which are also the last of the group before: where it
// begins with a guess, these most often lead to what the group before finds.
const uint kGroup = 256u;
const uint kWarmUp = 32u;
const uint kStride = kGroup - kWarmUp;

shared uvec3 ends[kGroup]; // packed state, blocks completed
shared uint changes;

// Puts the end of the subsequence into `ends`. A value that leaves a loop with an invocation is
// not safe on every device, so it is stored within.
void decode_to_end(State state, uint end_bit) {
    uint completed = 0u;
    ends[gl_LocalInvocationID.x] = uvec3(packed_state(state), 0u);
    Window window = window_at(state.bit);
    for (uint i = 0u; i < subsequence_bits; ++i) { // a code has at least a bit
        if (state.bit >= end_bit) break;
        state = behind(state, next_entry(window, state));
        window = moved(window, state.bit);
        if (state.k == 0u) ++completed;
        if (state.bit >= end_bit)
            ends[gl_LocalInvocationID.x] = uvec3(packed_state(state), completed);
    }
}

// Starts from which an invocation has decoded before, and where that ended, the last one first. What
// began with different guesses soon goes the same way, so half of the rounds begin where one did before.
const uint kKept = 4u;
struct Kept {
    uvec2 start;
    uvec3 end;
};

// `start`: from where the subsequence was decoded, its end being in `ends`. Returns from where it was
// decoded last. Where `works` is false, `ends` stays. All must call it.
uvec2 settle(uint subsequence, bool works, uvec2 start) {
    uint lane = gl_LocalInvocationID.x;
    Segment segment = segments.items[segment_of.words[subsequence]];
    bool first = subsequence == segment.first_subsequence;
    Kept kept[kKept];
    [[unroll]] for (uint i = 0u; i < kKept; ++i)
        kept[i] = Kept(start, ends[lane]);
    for (uint round = 0u; round <= kGroup; ++round) {
        if (lane == 0u) changes = 0u;
        barrier();
        uvec2 wanted = lane > 0u ? ends[lane - 1u].xy : start;
        if (first) wanted = packed_state(first_state(segment));
        barrier();
        if (works && wanted != start) {
            start = wanted;
            bool known = false;
            [[unroll]] for (uint i = 0u; i < kKept; ++i)
                if (kept[i].start == wanted) {
                    ends[lane] = kept[i].end;
                    known = true;
                }
            if (!known) {
                decode_to_end(unpacked_state(start), end_bit_of(segment, subsequence));
                [[unroll]] for (uint i = kKept - 1u; i > 0u; --i)
                    kept[i] = kept[i - 1u];
                kept[0] = Kept(start, ends[lane]);
            }
            atomicAdd(changes, 1u);
        }
        barrier();
        uint changed = changes;
        barrier();
        if (changed == 0u) break;
    }
    return start;
}

// `before`: where the subsequence before ended.
bool begins_elsewhere(uint subsequence, uvec2 start, uvec2 before) {
    Segment segment = segments.items[segment_of.words[subsequence]];
    return subsequence != segment.first_subsequence && start != before;
}
#endif
