#version 460
// A convolution of numbers of 8 bits, four to a word: a row of the window is read a word at a time.
// Rows begin anywhere in a word.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "window_taps.glsl"

readonly buffer Source { uint words[]; } source;
readonly buffer Weights { float values[]; } weights;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uint filters;
    uint border;
    uint turned; // the kernels are not correlated, but convolved
    uint count; // of results
} params;

float weight_at(uint own_weights, uint tap) {
    return weights.values[weight_index(own_weights, tap, params.turned)];
}

float number_at(uint index) {
    return unpackUnorm4x8(source.words[index >> 2u])[index & 3u];
}

// Adds `kernel_x` numbers that follow one another from `first` on: in ceil((first % 4 + kernel_x) /
// 4) words.
float row_within(float sum, uint first, uint own_weights, uint tap) {
    uint skipped = first & 3u;
    uint last_word = first + kernel_x - 1u >> 2u;
    uint at = 0u - skipped; // place of a word's first number in the row
    for (uint word = first >> 2u; word <= last_word; ++word) {
        vec4 numbers = unpackUnorm4x8(source.words[word]);
        [[unroll]] for (uint i = 0u; i < 4u; ++i) {
            uint x = at + i;
            if (x >= kernel_x) continue;
            sum = fma(numbers[i], weight_at(own_weights, tap + x), sum);
        }
        at += 4u;
    }
    return sum;
}

// The same for a row that reaches beyond the border.
float row_at_border(float sum, Window own, uint tap) {
    for (uint x = 0u; x < kernel_x; ++x) {
        uint index = number_index(own, params.size, tap + x, params.border);
        float number = index == kNowhere ? 0.0 : number_at(index);
        sum = fma(number, weight_at(own.weights, tap + x), sum);
    }
    return sum;
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    Window own = window_of(index, params.size, params.result_size, params.before, params.filters);
    float sum = 0.0;
    for (uint tap = 0u; tap < kTaps; tap += kernel_x) {
        if (own.is_whole)
            sum = row_within(sum, number_index(own, params.size, tap, 0u), own.weights, tap);
        else
            sum = row_at_border(sum, own, tap);
    }
    result.values[index] = sum;
}
