#version 460
//! variants FIRST=0,1
// Least and greatest displacements of the squares between four texels of a map (FIRST), or of four
// squares of the level before. FIRST counts the texels that are not finite, too.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uvec2 size; // of the result
} params;

uniform writeonly image2D low;
uniform writeonly image2D high;

#if FIRST
buffer Status { uint not_finite; } status; // texels
uniform sampler2D source;
layout(constant_id = 40) const uint along_normal = 0u;
#else
uniform sampler2D source_low;
uniform sampler2D source_high;
#endif

vec3 least = vec3(3.4e38);
vec3 most = vec3(-3.4e38);

void take(ivec2 at) {
#if FIRST
    vec3 value = texelFetch(source, min(at, textureSize(source, 0) - 1), 0).xyz;
    if (along_normal != 0u) value = vec3(value.x, 0.0, 0.0);
    bool finite = all(lessThan(floatBitsToUint(value) & 0x7fffffffu, uvec3(0x7f800000u)));
    value = finite ? value : vec3(0.0);
    // Each texel is counted by one of the squares that it is a corner of.
    if (!finite && min(at, ivec2(params.size) - 1) == ivec2(gl_GlobalInvocationID.xy) &&
        all(lessThan(at, textureSize(source, 0))))
        atomicAdd(status.not_finite, 1u);
    least = min(least, value);
    most = max(most, value);
#else
    at = min(at, textureSize(source_low, 0) - 1);
    least = min(least, texelFetch(source_low, at, 0).xyz);
    most = max(most, texelFetch(source_high, at, 0).xyz);
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    ivec2 from = FIRST == 1 ? at : 2 * at;
    take(from);
    take(from + ivec2(1, 0));
    take(from + ivec2(0, 1));
    take(from + ivec2(1, 1));
    imageStore(low, at, vec4(least, 0.0));
    imageStore(high, at, vec4(most, 0.0));
}
