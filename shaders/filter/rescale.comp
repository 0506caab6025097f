#version 460
// An array at another scale: number p of the result is the source at p * scale, beyond the border the
// nearest number, between numbers by linear interpolation.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "between.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    float scale;
    float gain; // what numbers are multiplied by
    uint count; // of all arrays
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint first = index / results * count_of(params.size);
    uvec4 place = place_of(index % results, params.result_size);
    Between at = between_at(vec3(place.xyz) * params.scale);
    float sum = 0.0;
    for (uint corner = 0u; corner < 8u; ++corner) {
        float share = corner_share(at, corner);
        if (share == 0.0) continue;
        uint read = index_read(kBorderClamp, corner_place(at, corner), params.size);
        sum += share * source.values[first + read];
    }
    result.values[index] = params.gain * sum;
}
