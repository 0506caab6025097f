#version 460
// Convolution of an image or a volume, one invocation a result, through the texture cache. UNROLLED: the
// kernel's size is fixed when the shader is compiled, and the loops over a slice of it are unrolled.
//! variants AXES=2,3 UNROLLED=0,1
#extension GL_EXT_control_flow_attributes : require

#if AXES == 2
layout(local_size_x = 16, local_size_y = 16) in;
uniform sampler2D source;
#else
layout(local_size_x = 16, local_size_y = 4, local_size_z = 4) in;
uniform sampler3D source;
#endif
#include "border.glsl"

layout(constant_id = 0) const uint border = 0u;
#if UNROLLED
layout(constant_id = 1) const uint kernel_x = 1u;
layout(constant_id = 2) const uint kernel_y = 1u;
#endif

readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec4 kernel_size;
    uint first_result; // of this array
    uint filters;
    uint correlate;
} params;

float texel(uvec3 place) {
#if AXES == 2
    return texelFetch(source, ivec2(place.xy), 0).r;
#else
    return texelFetch(source, ivec3(place), 0).r;
#endif
}

float slice_sum(ivec3 corner, uint z, uint tap_z, uint first_weight) {
    uvec4 taps = params.kernel_size;
    uint last = taps.x * taps.y * taps.z - 1u;
    float sum = 0.0;
#if UNROLLED
    [[unroll]] for (uint tap_y = 0u; tap_y < kernel_y; ++tap_y) {
        uint y = place_read(border, corner.y + int(tap_y), params.source_size.y);
        [[unroll]] for (uint tap_x = 0u; tap_x < kernel_x; ++tap_x) {
#else
    for (uint tap_y = 0u; tap_y < taps.y; ++tap_y) {
        uint y = place_read(border, corner.y + int(tap_y), params.source_size.y);
        for (uint tap_x = 0u; tap_x < taps.x; ++tap_x) {
#endif
            uint x = place_read(border, corner.x + int(tap_x), params.source_size.x);
            if (x == kNowhere || y == kNowhere) continue;
            uint at = (tap_z * taps.y + tap_y) * taps.x + tap_x;
            if (params.correlate == 0u) at = last - at;
            sum += texel(uvec3(x, y, z)) * kernel.values[first_weight + at];
        }
    }
    return sum;
}

void main() {
    uvec3 place = gl_GlobalInvocationID;
    uvec4 size = params.result_size;
    if (any(greaterThanEqual(place, size.xyz))) return;
    uvec4 taps = params.kernel_size;
    ivec3 corner = ivec3(params.first.xyz + place) - ivec3(taps.xyz / 2u);
    for (uint filter_index = 0u; filter_index < params.filters; ++filter_index) {
        float sum = 0.0;
        for (uint tap_z = 0u; tap_z < taps.z; ++tap_z) {
            uint z = place_read(border, corner.z + int(tap_z), params.source_size.z);
            if (z == kNowhere) continue;
            sum += slice_sum(corner, z, tap_z, filter_index * taps.x * taps.y * taps.z);
        }
        uint at = ((filter_index * size.z + place.z) * size.y + place.y) * size.x + place.x;
        result.values[params.first_result + at] = sum;
    }
}
