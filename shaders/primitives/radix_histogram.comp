#version 460
//! variants KEY_WORDS=1,2

// Counts the digits of all passes at once.
#extension GL_EXT_control_flow_attributes : require
#include "radix_shape.glsl"

layout(constant_id = 16) const uint first_bit = 0u;
layout(constant_id = 17) const uint end_bit = 32u; // the first that is not sorted by

const uint kDigits = (end_bit - first_bit + digit_bits - 1u) / digit_bits;
const uint kBatch = 8u; // keys of an invocation at a time

readonly buffer Keys { Key words[]; } keys;
buffer Starts { uint words[]; } starts; // pass by pass, of each digit: how many

const uint kMaxCounts = 2048u; // 8 digits of 8 bits
shared uint counts[kMaxCounts];

void count_key(Key key) {
    [[unroll]] for (uint digit = 0u; digit < kDigits; ++digit) {
        uint shift = first_bit + digit * digit_bits;
        uint mask = (1u << min(digit_bits, end_bit - shift)) - 1u;
        atomicAdd(counts[digit * kBins + digit_of(key, shift, mask)], 1u);
    }
}

void main() {
    uint index = own_index();
    for (uint i = index; i < kDigits * kBins; i += kGroupSize) counts[i] = 0u;
    barrier();
    uint count = element_count(params.most);
    uint step = kGroupSize * kBatch;
    uint tiles = tiles_of(count, step);
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint first = tile * step + index;
        if (count - tile * step >= step) {
            Key batch[kBatch];
            [[unroll]] for (uint i = 0u; i < kBatch; ++i)
                batch[i] = keys.words[first + i * kGroupSize];
            [[unroll]] for (uint i = 0u; i < kBatch; ++i) count_key(sort_key(batch[i]));
        } else {
            for (uint at = first; at < count; at += kGroupSize)
                count_key(sort_key(keys.words[at]));
        }
    }
    barrier();
    for (uint i = index; i < kDigits * kBins; i += kGroupSize)
        if (counts[i] != 0u) atomicAdd(starts.words[i], counts[i]);
}
