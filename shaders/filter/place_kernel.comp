#version 460
// Kernels as a transform takes them: weight `shift` of an axis lies at its place 0, those before it
// at the axis' end; all else is zero.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 kernel_size;
    uvec4 result_size; // no smaller along any axis
    uvec4 shift;
    uint turned;
    uint count; // numbers of the result
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint each = count_of(params.result_size);
    uvec4 weight =
        (place_of(index % each, params.result_size) + params.shift) % params.result_size;
    bool is_weight = all(lessThan(weight, params.kernel_size));
    if (!is_weight) {
        result.values[index] = 0.0;
        return;
    }
    uint taps = count_of(params.kernel_size);
    uint tap = index_of(weight, params.kernel_size);
    if (params.turned != 0u) tap = taps - 1u - tap;
    result.values[index] = kernel.values[index / each * taps + tap];
}
