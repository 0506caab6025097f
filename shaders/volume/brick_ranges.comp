#version 460
// The least and the greatest number of the texels that places in each brick depend on; what is no
// number is left out. A group for each brick.

layout(local_size_x = 64) in;

#include "volume_bricks.glsl"
#include "volume_texels.glsl"

uniform Params { ivec3 dims; } params;

writeonly buffer Ranges { vec2 values[]; } ranges; // x above y: no number at all

shared vec2 found[gl_WorkGroupSize.x];

void main() {
    const uint kSide = 9u; // with the next brick's first texels
    ivec3 first = ivec3(gl_WorkGroupID) * 8;
    float infinity = uintBitsToFloat(0x7f800000u);
    vec2 range = vec2(infinity, -infinity);
    for (uint i = gl_LocalInvocationID.x; i < kSide * kSide * kSide; i += gl_WorkGroupSize.x) {
        ivec3 texel = first + ivec3(i % kSide, i / kSide % kSide, i / (kSide * kSide));
        float value = fetch(min(texel, params.dims - 1));
        if (is_number(value)) range = vec2(min(range.x, value), max(range.y, value));
    }
    found[gl_LocalInvocationID.x] = range;
    for (uint half_size = gl_WorkGroupSize.x / 2u; half_size > 0u; half_size /= 2u) {
        barrier();
        if (gl_LocalInvocationID.x >= half_size) continue;
        vec2 other = found[gl_LocalInvocationID.x + half_size];
        vec2 own = found[gl_LocalInvocationID.x];
        found[gl_LocalInvocationID.x] = vec2(min(own.x, other.x), max(own.y, other.y));
    }
    if (gl_LocalInvocationID.x > 0u) return;
    ranges.values[brick_index(gl_NumWorkGroups, gl_WorkGroupID)] = found[0];
}
