#version 460
// One small kernel of a network: its convolution of one result is, or is added to, another.
//! variants ADDS=0,1

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

layout(constant_id = 0) const uint border = 0u;

readonly buffer Source { float values[]; } source;
readonly buffer Kernel { float values[]; } kernel;
#if ADDS
buffer Result { float values[]; } result;
#else
writeonly buffer Result { float values[]; } result;
#endif

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 kernel_size;
    uvec4 spread;
    ivec4 shift; // where the first weight meets the source for the first result
    uint first_weight;
    uint count;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint first = index / results * count_of(params.size);
    ivec4 corner = ivec4(place_of(index % results, params.result_size)) + params.shift;
    uint taps = count_of(params.kernel_size);
    float sum = 0.0;
    for (uint tap = 0u; tap < taps; ++tap) {
        float weight = kernel.values[params.first_weight + taps - 1u - tap];
        if (weight == 0.0) continue;
        ivec4 place = corner + ivec4(place_of(tap, params.kernel_size) * params.spread);
        uint at = index_read(border, place, params.size);
        if (at != kNowhere) sum += weight * source.values[first + at];
    }
#if ADDS
    result.values[index] += sum;
#else
    result.values[index] = sum;
#endif
}
