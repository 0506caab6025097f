// The numbers of a volume's texels.
#ifndef VOLUME_TEXELS
#define VOLUME_TEXELS

layout(constant_id = 11) const uint kNumber = 0u;   // 0 to 3: a channel; 4: length of the vector
layout(constant_id = 12) const uint kChannels = 1u; // numbers of a texel

// PART: the source is a part of the volume, and its first texel is this one, which the kernel sets.
#ifndef PART
#define PART 0
#endif
#if PART
ivec3 part_corner = ivec3(0);
#endif

uniform sampler3D source;

// By the bits, for compilers may take isnan for false.
bool is_number(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) <= 0x7f800000u;
}

float number_of(vec4 texel) {
    if (kNumber < 4u) return texel[kNumber];
    vec4 some = mix(vec4(0.0), texel, lessThan(uvec4(0, 1, 2, 3), uvec4(kChannels)));
    return length(some);
}

float fetch(ivec3 texel) {
#if PART
    texel -= part_corner;
#endif
    return number_of(texelFetch(source, texel, 0));
}

#endif
