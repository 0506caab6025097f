#version 460
// Convolution, one invocation a result, straight from memory. UNROLLED: the kernel's size is fixed when
// the shader is compiled, and the loops over a slice of it are unrolled.
//! variants UNROLLED=0,1
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "border.glsl"

layout(constant_id = 0) const uint border = 0u;
#if UNROLLED
layout(constant_id = 1) const uint kernel_x = 1u;
layout(constant_id = 2) const uint kernel_y = 1u;
#endif

readonly buffer Source { float values[]; } source;
readonly buffer Kernel { float values[]; } kernel;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec4 kernel_size;
    uint count; // results in all
    uint filters;
    uint correlate;
} params;

uint tap_of(uvec4 tap) {
    uvec4 size = params.kernel_size;
    uint at = ((tap.w * size.z + tap.z) * size.y + tap.y) * size.x + tap.x;
    return params.correlate != 0u ? at : size.x * size.y * size.z * size.w - 1u - at;
}

// The products of the kernel's slice (tap.z, tap.w) with the source's that begins at `slice`.
float slice_sum(ivec4 corner, uint slice, uvec4 tap, uint first_weight) {
    float sum = 0.0;
#if UNROLLED
    [[unroll]] for (tap.y = 0u; tap.y < kernel_y; ++tap.y) {
        uint y = place_read(border, corner.y + int(tap.y), params.source_size.y);
        [[unroll]] for (tap.x = 0u; tap.x < kernel_x; ++tap.x) {
#else
    for (tap.y = 0u; tap.y < params.kernel_size.y; ++tap.y) {
        uint y = place_read(border, corner.y + int(tap.y), params.source_size.y);
        for (tap.x = 0u; tap.x < params.kernel_size.x; ++tap.x) {
#endif
            uint x = place_read(border, corner.x + int(tap.x), params.source_size.x);
            if (x == kNowhere || y == kNowhere) continue;
            sum += source.values[slice + y * params.source_size.x + x] *
                   kernel.values[first_weight + tap_of(tap)];
        }
    }
    return sum;
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uvec4 size = params.result_size;
    uvec4 place;
    uint rest = index;
    place.x = rest % size.x;
    rest /= size.x;
    place.y = rest % size.y;
    rest /= size.y;
    place.z = rest % size.z;
    rest /= size.z;
    place.w = rest % size.w;
    rest /= size.w;
    uint array = rest / params.filters;
    uvec4 taps = params.kernel_size;
    uint first_weight = rest % params.filters * taps.x * taps.y * taps.z * taps.w;

    ivec4 corner = ivec4(params.first + place) - ivec4(taps / 2u);
    float sum = 0.0;
    for (uint w = 0u; w < taps.w; ++w) {
        uint source_w = place_read(border, corner.w + int(w), params.source_size.w);
        for (uint z = 0u; z < taps.z; ++z) {
            uint source_z = place_read(border, corner.z + int(z), params.source_size.z);
            if (source_w == kNowhere || source_z == kNowhere) continue;
            uint slice = (array * params.source_size.w + source_w) * params.source_size.z + source_z;
            sum += slice_sum(corner, slice * params.source_size.y * params.source_size.x,
                             uvec4(0u, 0u, z, w), first_weight);
        }
    }
    result.values[index] = sum;
}
