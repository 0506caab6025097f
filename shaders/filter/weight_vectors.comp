#version 460
// The weights of each kernel in the order of the window, in whole vectors: zeros follow.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint count;  // floats of the result
    uint taps;   // of a kernel
    uint pitch;  // floats of a kernel in the result
    uint turned;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint tap = index % params.pitch;
    uint first = index / params.pitch * params.taps;
    uint from = params.turned != 0u ? params.taps - 1u - tap : tap;
    result.values[index] = tap < params.taps ? kernel.values[first + from] : 0.0;
}
