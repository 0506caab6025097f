#version 460
// Adds what one two-dimensional slice of a kernel contributes to some slices of the result. The slice
// that comes FIRST begins the sums.
//! variants FIRST=0,1

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "window_taps.glsl"

readonly buffer Source { float values[]; } source;
readonly buffer Weights { float values[]; } weights;
#if FIRST
writeonly buffer Result { float values[]; } result;
#else
buffer Result { float values[]; } result;
#endif

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uint filters;
    uint border;
    uint turned; // the kernels are not correlated, but convolved
    uint count;   // of results that the slice contributes to, of all arrays and kernels
    uint slice_z; // of the window
    uint slice_w;
    uint first_z; // of the result's slices
    uint last_z;
    uint result_w;
} params;

float weight_at(uint own_weights, uint tap) {
    return weights.values[weight_index(own_weights, tap, params.turned)];
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uvec4 part = uvec4(params.result_size.xy, params.last_z - params.first_z + 1u, 1u);
    uint each = count_of(part);
    uvec4 place = place_of(index % each, part) + uvec4(0u, 0u, params.first_z, params.result_w);
    uint to = index / each * count_of(params.result_size) + index_of(place, params.result_size);
    Window own = window_of(to, params.size, params.result_size, params.before, params.filters);

#if FIRST
    float sum = 0.0;
#else
    float sum = result.values[to];
#endif
    uint first_tap = (params.slice_w * kernel_z + params.slice_z) * kernel_y * kernel_x;
    for (uint tap = first_tap; tap < first_tap + kernel_y * kernel_x; ++tap) {
        uint at = number_index(own, params.size, tap, params.border);
        float number = at == kNowhere ? 0.0 : source.values[at];
        sum = fma(number, weight_at(own.weights, tap), sum);
    }
    result.values[to] = sum;
}
