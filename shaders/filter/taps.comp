#version 460
// Sums of some weights of a convolution times what they meet, one after the other: a pass of several.
//
// Traffic: a number and a weight for each tap, 4 bytes written a result.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "window_taps.glsl"

readonly buffer Source { float values[]; } source;
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
    uint first_tap;
    uint last_tap;
} params;

float weight_at(uint own_weights, uint tap) {
    return weights.values[weight_index(own_weights, tap, params.turned)];
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    Window own = window_of(index, params.size, params.result_size, params.before, params.filters);
    float sum = 0.0;
    for (uint tap = params.first_tap; tap <= params.last_tap; ++tap) {
        uint at = number_index(own, params.size, tap, params.border);
        float number = at == kNowhere ? 0.0 : source.values[at];
        sum = fma(number, weight_at(own.weights, tap), sum);
    }
    result.values[index] = sum;
}
