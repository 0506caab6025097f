#version 460
// Dequantises the blocks of one component and transforms them back. An invocation does a column, then
// a row.

layout(local_size_x = 256) in;

uniform Params {
    uvec2 mcus;     // across, down
    uvec2 sampling; // blocks of an MCU across, down
    uint first_block;      // of the component in an MCU
    uint blocks_of_mcu;
    uint first_difference; // of the component
    uint interval;         // MCUs of a segment
    uint segments;
} params;
#include "invocation.glsl"
#include "idct.glsl"

struct Segment {
    uint first_bit;
    uint end_bit;
    uint first_subsequence;
    uint subsequences;
    uint first_mcu;
    uint blocks;
};
readonly buffer Segments { Segment items[]; } segments;
readonly buffer States { uvec4 states[]; } states;
readonly buffer Offsets { uint words[]; } offsets;
readonly buffer Completed { uint words[]; } completed;
readonly buffer Coefficients { int values[]; } coefficients;
readonly buffer Sums { int values[]; } sums; // of the differences, inclusive
readonly buffer Divisors { int values[64]; } divisors;
writeonly buffer Samples { uint words[]; } samples; // four a word, rows of whole blocks

shared int rows[32 * 72]; // of each block; nine words a row, so that columns lie in several banks

// The DC coefficient of what the stream has; beyond its end zero.
int dc_of(uint mcu, uint number) {
    uint s = mcu / params.interval;
    if (s >= params.segments) return 0;
    Segment segment = segments.items[s];
    uint last = segment.first_subsequence + segment.subsequences - 1u;
    uint begun = offsets.words[last] - offsets.words[segment.first_subsequence] +
                 completed.words[last] + (states.states[last].w >> 8 > 0u ? 1u : 0u);
    uint block = (mcu - segment.first_mcu) * params.blocks_of_mcu + params.first_block + number;
    if (block >= begun) return 0;
    uint of_mcu = params.sampling.x * params.sampling.y;
    uint before = params.first_difference + segment.first_mcu * of_mcu;
    int sum = sums.values[params.first_difference + mcu * of_mcu + number];
    return before > 0u ? sum - sums.values[before - 1u] : sum;
}

void main() {
    uint across = params.mcus.x * params.sampling.x;
    uint count = across * params.mcus.y * params.sampling.y;
    uint block = group_index() * 32u + gl_LocalInvocationID.x / 8u;
    uint lane = gl_LocalInvocationID.x % 8u;
    uint base = gl_LocalInvocationID.x / 8u * 72u;
    uvec2 at = uvec2(block % across, block / across);
    if (block < count) {
        uint mcu = at.y / params.sampling.y * params.mcus.x + at.x / params.sampling.x;
        uint number = at.y % params.sampling.y * params.sampling.x + at.x % params.sampling.x;
        uint of_all = mcu * params.blocks_of_mcu + params.first_block + number;
        int column[8];
        for (uint i = 0u; i < 8u; ++i) {
            uint place = i * 8u + lane;
            int value = place == 0u ? dc_of(mcu, number) : coefficients.values[of_all * 64u + place];
            column[i] = value * divisors.values[place];
        }
        column = transformed_back(column, kColumnShift);
        for (uint i = 0u; i < 8u; ++i)
            rows[base + i * 9u + lane] = column[i];
    }
    barrier();
    if (block >= count) return;
    int row[8];
    for (uint i = 0u; i < 8u; ++i)
        row[i] = rows[base + lane * 9u + i];
    row = transformed_back(row, kRowShift);
    uvec2 packed = packed_samples(row);
    uint word = ((at.y * 8u + lane) * across + at.x) * 2u;
    samples.words[word] = packed.x;
    samples.words[word + 1u] = packed.y;
}
