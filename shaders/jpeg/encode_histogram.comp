#version 460
// How often each symbol occurs, where the codes are to fit the picture.

layout(local_size_x = 256) in;

uniform Params { uint blocks; } params;

#include "shape.glsl"
#include "symbols.glsl"
buffer Frequencies { uint words[kSymbolsOfAll]; } frequencies;
#include "block_codes.glsl"
#include "invocation.glsl"

shared uint shared_counts[kSymbolsOfAll];

void count_block(uint block) {
    uint table = is_chroma(block) ? kSymbolsOfPair : 0u;
    atomicAdd(shared_counts[table + category(first_difference(block))], 1u);
    table += kDcSymbols;
    uvec2 left = masks.words[block];
    uint before = 0u;
    while ((left.x | left.y) != 0u) {
        uint number = take_next(left);
        uint zeros = number - before - 1u;
        if (zeros >= 16u) atomicAdd(shared_counts[table + kSixteenZeros], zeros >> 4);
        atomicAdd(shared_counts[table + ((zeros & 15u) << 4 | category(coefficient(block, number)))], 1u);
        before = number;
    }
    if (before != 63u) atomicAdd(shared_counts[table + kEndOfBlock], 1u);
}

void main() {
    uint block = invocation_index();
    for (uint i = gl_LocalInvocationIndex; i < kSymbolsOfAll; i += gl_WorkGroupSize.x) shared_counts[i] = 0u;
    barrier();
    if (block < params.blocks) count_block(block);
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < kSymbolsOfAll; i += gl_WorkGroupSize.x)
        if (shared_counts[i] != 0u) atomicAdd(frequencies.words[i], shared_counts[i]);
}
