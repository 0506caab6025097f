// A volume of opacities as blocks of packed.glsl.
#ifndef OCCLUSION_PACKED_VOXELS
#define OCCLUSION_PACKED_VOXELS

#include "opacities.glsl"
#include "packed.glsl"

layout(constant_id = 4) const uint kIsClean = 0u; // 1: all numbers are from 0 to 1

// Two texels of a row as they are.
vec2 pair_in_row(sampler3D opacity, ivec3 dims, int x, ivec2 row) {
    ivec2 both = ivec2(x, x + 1);
    if (kClamps != 0u) both = clamp(both, 0, dims.x - 1);
    vec2 pair = vec2(0.0);
    if (uint(both.x) < uint(dims.x)) pair.x = texelFetch(opacity, ivec3(both.x, row), 0).r;
    if (uint(both.y) < uint(dims.x)) pair.y = texelFetch(opacity, ivec3(both.y, row), 0).r;
    return pair;
}

// Numbers of a block. Beyond the volume means are those of what is there: 0, or its edge.
struct Numbers {
    vec2 pairs[kBlock / 2];
};

Numbers numbers_at(sampler3D opacity, ivec3 dims, int block, int y, int z) {
    ivec2 row = ivec2(y, z);
    const vec2 kNothing = vec2(0.0);
    if (kClamps != 0u) row = clamp(row, ivec2(0), dims.yz - 1);
    else if (is_beyond(ivec3(0, row), dims))
        return Numbers(vec2[4](kNothing, kNothing, kNothing, kNothing));
    int x = block * kBlock;
    return Numbers(vec2[4](pair_in_row(opacity, dims, x, row), pair_in_row(opacity, dims, x + 2, row),
                           pair_in_row(opacity, dims, x + 4, row),
                           pair_in_row(opacity, dims, x + 6, row)));
}

uint packed_numbers(vec2 pair) {
    if (kIsClean != 0u) return packed_pair(pair.x, pair.y);
    return packed_pair(opacity_of(pair.x), opacity_of(pair.y));
}

uvec4 voxels_of(Numbers numbers) {
    return uvec4(packed_numbers(numbers.pairs[0]), packed_numbers(numbers.pairs[1]),
                 packed_numbers(numbers.pairs[2]), packed_numbers(numbers.pairs[3]));
}

#endif
