#version 460
// Third step of a summed-area table: sums along the rows between the tiles, which makes them rows of
// the table. A group takes a row and a channel.

const uint kGroup = 256u;
const uint kItems = 4u;
layout(local_size_x = 256) in;

#include "carry_word.glsl"

buffer Carries { uint words[]; } carries;

uniform Params {
    uint line;     // values of a row
    uint channels; // words of a value
} params;

shared uint sums[2][kGroup];

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint row = gl_WorkGroupID.x * params.line * params.channels + gl_WorkGroupID.y;
    uint carry = 0u;
    for (uint first = 0u; first < params.line; first += kGroup * kItems) {
        uint own = first + thread * kItems;
        uint values[kItems];
        uint sum = 0u;
        for (uint i = 0u; i < kItems; ++i) {
            if (own + i < params.line)
                sum = add_words(sum, carries.words[row + (own + i) * params.channels]);
            values[i] = sum;
        }
        // Sums over the group, by doubling.
        uint current = 0u;
        sums[0][thread] = sum;
        barrier();
        for (uint step_size = 1u; step_size < kGroup; step_size *= 2u) {
            uint total = sums[current][thread];
            if (thread >= step_size)
                total = add_words(sums[current][thread - step_size], total);
            sums[1u - current][thread] = total;
            current = 1u - current;
            barrier();
        }
        uint before = carry;
        if (thread > 0u) before = add_words(before, sums[current][thread - 1u]);
        for (uint i = 0u; i < kItems; ++i)
            if (own + i < params.line)
                carries.words[row + (own + i) * params.channels] = add_words(before, values[i]);
        carry = add_words(carry, sums[current][kGroup - 1u]);
        barrier();
    }
}
