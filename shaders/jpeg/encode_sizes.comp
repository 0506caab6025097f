#version 460
// How many bits each block takes. The sum of all is counted in 64 bits: the scan's 32 may not hold it.

layout(local_size_x = 256) in;

uniform Params { uint blocks; } params;

readonly buffer Coefficients { uint pairs[]; } coefficients;
readonly buffer Masks { uvec2 words[]; } masks;

writeonly buffer Sizes { uint bits[]; } sizes;
buffer Total { uint low; uint high; } total;

#include "shape.glsl"
#include "block_codes.glsl"
#include "invocation.glsl"

shared uint group_bits;

uint code_bits(uint table, uint symbol) {
    return codes.words[table + symbol] >> 16;
}

uint bits_of(uint block) {
    uint table = table_of(block);
    uint category_of_first = category(first_difference(block));
    uint bits = code_bits(table, category_of_first) + category_of_first;
    table += 12u;
    uvec2 left = masks.words[block];
    uint before = 0u;
    while ((left.x | left.y) != 0u) {
        uint number = take_next(left);
        uint zeros = number - before - 1u;
        uint size = category(coefficient(block, number));
        bits += (zeros >> 4) * code_bits(table, kSixteenZeros) + code_bits(table, (zeros & 15u) << 4 | size) + size;
        before = number;
    }
    return before == 63u ? bits : bits + code_bits(table, kEndOfBlock);
}

void main() {
    uint block = invocation_index();
    if (gl_LocalInvocationIndex == 0u) group_bits = 0u;
    barrier();
    if (block < params.blocks) {
        uint bits = bits_of(block);
        sizes.bits[block] = bits;
        atomicAdd(group_bits, bits);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u || group_bits == 0u) return;
    uint low = atomicAdd(total.low, group_bits);
    if (low + group_bits < low) atomicAdd(total.high, 1u);
}
