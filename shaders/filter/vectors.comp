#version 460
// A convolution whose weights and numbers are multiplied four at a time. The last vector of a kernel
// ends in zeros.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "window_taps.glsl"

readonly buffer Source { float values[]; } source;
readonly buffer Weights { vec4 values[]; } weights; // of each kernel, in the window's order
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uint filters;
    uint border;
    uint count; // of results
} params;

const uint kVectors = (kTaps + 3u) / 4u;

float number_at(Window own, uint tap) {
    if (tap >= kTaps) return 0.0;
    uint at = number_index(own, params.size, tap, params.border);
    return at == kNowhere ? 0.0 : source.values[at];
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    Window own = window_of(index, params.size, params.result_size, params.before, params.filters);
    uint first = own.weights / kTaps * kVectors;
    float sum = 0.0;
    for (uint v = 0u; v < kVectors; ++v) {
        vec4 numbers;
        [[unroll]] for (uint i = 0u; i < 4u; ++i) numbers[i] = number_at(own, 4u * v + i);
        sum += dot(numbers, weights.values[first + v]);
    }
    result.values[index] = sum;
}
