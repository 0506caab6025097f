#version 460
// The product of each spectrum of an array with each spectrum of a kernel.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "fft/complex.glsl"

readonly buffer Arrays { vec2 values[]; } arrays;
readonly buffer Kernels { vec2 values[]; } kernels;
writeonly buffer Result { vec2 values[]; } result;

uniform Params {
    uint each; // numbers of a spectrum
    uint filters;
    uint count; // of the result
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint which = index / params.each;
    uint number = index % params.each;
    result.values[index] = times(arrays.values[which / params.filters * params.each + number],
                                 kernels.values[which % params.filters * params.each + number]);
}
