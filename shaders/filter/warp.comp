#version 460
// Reads an array at displaced places, between numbers by linear interpolation.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "between.glsl"

layout(constant_id = 0) const uint border = 0u;

readonly buffer Source { float values[]; } source;
readonly buffer Field { float values[]; } field;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uint axes;
    uint count;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint one = count_of(params.size);
    uint own = index % one;
    vec3 place = vec3(place_of(own, params.size).xyz);
    for (uint a = 0u; a < params.axes; ++a) {
        float moved = field.values[a * one + own];
        bool is_finite = (floatBitsToUint(moved) & 0x7f800000u) != 0x7f800000u;
        if (is_finite) place[a] += moved;
    }
    Between at = between_at(place);
    float sum = 0.0;
    for (uint corner = 0u; corner < 8u; ++corner) {
        float share = corner_share(at, corner);
        if (share == 0.0) continue;
        uint read = index_read(border, corner_place(at, corner), params.size);
        if (read != kNowhere) sum += share * source.values[index - own + read];
    }
    result.values[index] = sum;
}
