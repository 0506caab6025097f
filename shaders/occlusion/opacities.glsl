// Numbers of a level of means, and the ways in which they are kept.
#ifndef OCCLUSION_OPACITIES
#define OCCLUSION_OPACITIES

#include "half_float.glsl"

layout(constant_id = 20) const uint kClamps = 0u; // 1: beyond the volume is what its edge is
layout(constant_id = 21) const float kUnits = 0.0; // of a fixed-point number for 1; 0: a float
layout(constant_id = 22) const uint kHalf = 0u;    // 1: a float of 16 bits

// What is no number, as it comes from outside, blocks nothing.
float opacity_of(float number) {
    return number > 0.0 ? min(number, 1.0) : 0.0;
}

// What floats of 16 bits hold of numbers that are not negative, so that the store rounds nothing.
vec4 half_numbers(vec4 numbers) {
    return rounded_to_half(min(numbers, vec4(65504.0)));
}

// To the nearest number that is kept. The store then has nothing left to round, and so is the same
// on every device; cut off instead, each level would be darker than the one below it.
float kept(float number) {
    if (kHalf != 0u) return rounded_to_half(number);
    return kUnits > 0.0 ? floor(number * kUnits + 0.5) / kUnits : number;
}

bool is_beyond(ivec3 texel, ivec3 dims) {
    return any(lessThan(texel, ivec3(0))) || any(greaterThanEqual(texel, dims));
}

float opacity_at(sampler3D volume, ivec3 dims, ivec3 texel) {
    if (kClamps != 0u)
        texel = clamp(texel, ivec3(0), dims - 1);
    else if (is_beyond(texel, dims))
        return 0.0;
    return opacity_of(texelFetch(volume, texel, 0).r);
}

// Between the middles of eight texels, in f32: samplers may have weights of 8 bits, and border
// colours apply to the volume, not to what means reach beyond it.
float opacity_between(sampler3D volume, ivec3 dims, vec3 place) {
    // Far beyond all is alike, and so no place is too far for an integer.
    vec3 near = clamp(place, vec3(-2.0), vec3(dims) + 1.0);
    ivec3 low = ivec3(floor(near));
    vec3 share = near - vec3(low);
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(corner));
        float weight = part.x * part.y * part.z;
        if (weight > 0.0) sum += weight * opacity_at(volume, dims, low + corner);
    }
    return sum;
}

// What a sampler that repeats the edge finds is less beyond it, where nothing is.
float inside_share(vec3 place, vec3 dims) {
    vec3 share = clamp(place + 1.0, 0.0, 1.0) * clamp(dims - place, 0.0, 1.0);
    return share.x * share.y * share.z;
}

// `opaque`: the probability that a ray is blocked in a shell, 0 to 1.
float passes_shell(float opaque, float exponent) {
    if (exponent == 1.0) return 1.0 - opaque;
    return opaque < 1.0 ? pow(1.0 - opaque, exponent) : 0.0;
}

// How fast the number grows along x, y and z, by central differences.
vec3 opacity_gradient(sampler3D volume, ivec3 dims, ivec3 texel) {
    vec3 change = vec3(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 ahead = ivec3(0);
        ahead[axis] = 1;
        change[axis] = 0.5 * (opacity_at(volume, dims, texel + ahead) -
                              opacity_at(volume, dims, texel - ahead));
    }
    return change;
}

#endif
