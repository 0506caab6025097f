#version 460
// One stage of bitonic merge sort as GPU Gems has it (I. Buck and T. Purcell, "A Toolkit for
// Computation on GPUs", chapter 37, listing 37-3), and GPU Gems 2 compares with: every place reads
// itself and its partner and keeps the lesser or the greater. Blocks are sorted upwards and
// downwards in turn. Addresses are integers, and pairs take the place of the book's bare keys.

layout(local_size_x = 256) in;

uniform Params {
    uint most;
    uint places; // a power of two
    uint offset; // to the partner: 2^(stage - 1)
    uint step;   // places that are sorted the same way: 2^step
} params;
#include "invocation.glsl"
#include "pairs.glsl"

readonly buffer Source { Pair at[]; } source;
writeonly buffer Result { Pair at[]; } result;

void main() {
    uint index = invocation_index();
    if (index >= params.places) return;
    bool lower = index % (2u * params.offset) < params.offset;
    bool upwards = (index / params.step) % 2u == 0u;
    Pair own = source.at[index];
    Pair partner = source.at[lower ? index + params.offset : index - params.offset];
    bool keeps_lesser = lower == upwards;
    result.at[index] = keeps_lesser == pair_before(own, partner) ? own : partner;
}
