#version 460
// How many bits each block takes.

layout(local_size_x = 256) in;
layout(constant_id = 4) const uint measured = 1u;  // jpeg/encode_transform has, all but the first coefficient
layout(constant_id = 5) const uint counts_all = 0u; // in 64 bits: the scan's 32 may not hold the sum

uniform Params { uint blocks; } params;

writeonly buffer Sizes { uint bits[]; } sizes;
buffer Counts { // as in jpeg/extent.glsl
    uint not_finite;
    uint low_bits;
    uint high_bits;
    uint spare;
} counts;

#include "shape.glsl"
#include "codes.glsl"
#include "block_codes.glsl"
#include "invocation.glsl"

shared uint group_bits;

uint bits_of_others(uint block) {
    uint table = ac_table(is_chroma(block));
    uvec2 left = masks.words[block];
    uint bits = 0u;
    uint before = 0u;
    while ((left.x | left.y) != 0u) {
        uint number = take_next(left);
        uint zeros = number - before - 1u;
        uint size = category(coefficient(block, number));
        bits += (zeros >> 4) * code_length(table, kSixteenZeros) +
                code_length(table, (zeros & 15u) << 4 | size) + size;
        before = number;
    }
    return before == 63u ? bits : bits + code_length(table, kEndOfBlock);
}

uint bits_of(uint block) {
    uint size = category(first_difference(block));
    uint bits = code_length(dc_table(is_chroma(block)), size) + size;
    return bits + (measured != 0u ? heads.words[block] >> 16 : bits_of_others(block));
}

void main() {
    uint block = invocation_index();
    uint bits = block < params.blocks ? bits_of(block) : 0u;
    if (block < params.blocks) sizes.bits[block] = bits;
    if (counts_all == 0u) return;

    if (gl_LocalInvocationIndex == 0u) group_bits = 0u;
    barrier();
    atomicAdd(group_bits, bits);
    barrier();
    if (gl_LocalInvocationIndex != 0u || group_bits == 0u) return;
    uint low = atomicAdd(counts.low_bits, group_bits);
    if (low + group_bits < low) atomicAdd(counts.high_bits, 1u);
}
