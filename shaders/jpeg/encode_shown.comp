#version 460
// What decoders make of one component's coefficients: dequantises its blocks and transforms them back. An
// invocation does a column, then a row.

layout(local_size_x = 256) in;

uniform Params {
    uint component;
    uint units_across; // in a row
    uint blocks;       // of the component
} params;

#include "shape.glsl"
#include "idct.glsl"
#include "zigzag.glsl"
#include "invocation.glsl"

readonly buffer Coefficients { uint pairs[]; } coefficients; // as in jpeg/block_codes.glsl
readonly buffer Divisors { int values[64]; } divisors;       // by place
writeonly buffer Samples { uint words[]; } samples;          // four a word, rows of whole blocks

shared int rows[32 * 72]; // of each block; nine words a row, so that columns lie in several banks

void main() {
    uvec2 parts = params.component == 0u ? uvec2(across, down) : uvec2(1u); // of a unit
    uint row_blocks = params.units_across * parts.x;
    uint block = group_index() * 32u + gl_LocalInvocationID.x / 8u;
    uint lane = gl_LocalInvocationID.x % 8u;
    uint base = gl_LocalInvocationID.x / 8u * 72u;
    bool here = block < params.blocks;
    uvec2 at = uvec2(block % row_blocks, block / row_blocks);
    if (here) {
        uint unit = at.y / parts.y * params.units_across + at.x / parts.x;
        uint part = params.component == 0u ? at.y % parts.y * parts.x + at.x % parts.x
                                           : kLumaBlocks + params.component - 1u;
        uint of_all = unit * kUnitBlocks + part;
        for (uint i = 0u; i < 4u; ++i) {
            uint number = 8u * i + lane;
            uint pair = coefficients.pairs[of_all * 32u + number];
            uint low = place_of(number);
            uint high = place_of(number + 32u);
            rows[base + low / 8u * 9u + low % 8u] = (int(pair << 16) >> 16) * divisors.values[low];
            rows[base + high / 8u * 9u + high % 8u] = (int(pair) >> 16) * divisors.values[high];
        }
    }
    barrier();
    int line[8];
    for (uint i = 0u; i < 8u; ++i) line[i] = rows[base + i * 9u + lane];
    line = transformed_back(line, kColumnShift);
    for (uint i = 0u; i < 8u; ++i) rows[base + i * 9u + lane] = line[i];
    barrier();
    if (!here) return;
    for (uint i = 0u; i < 8u; ++i) line[i] = rows[base + lane * 9u + i];
    uvec2 packed = packed_samples(transformed_back(line, kRowShift));
    uint word = ((at.y * 8u + lane) * row_blocks + at.x) * 2u;
    samples.words[word] = packed.x;
    samples.words[word + 1u] = packed.y;
}
