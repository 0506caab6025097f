#version 460
//! variants VOLUME=0,1
// What there is to solve, of a rank's part, as solver/rhs_norm has it: a part of the sums of each
// group. The equation of mpi/poisson is laplace(u) = source, so the right-hand side is -source.
layout(local_size_x = 256) in;

#if VOLUME
uniform sampler3D source;
uniform sampler3D guess;
#else
uniform sampler2D source;
uniform sampler2D guess;
#endif

uniform Params {
    ivec3 own;        // cells of the part
    ivec3 image_halo; // texels
    ivec3 size;       // of the array of kinds
    ivec3 halo;
    uint has_guess;
    uint has_kinds;   // 0: all cells are unknown
} params;

readonly buffer Kinds { uint values[]; } kinds;

writeonly buffer PartialSums { vec4 values[]; } partial_sums; // two a group

#include "solver/cell_at.glsl"
#include "solver/group_sum.glsl"
#include "kinds.glsl"

bool is_finite(float value) {
    return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
}

#if VOLUME
float source_at(ivec3 texel) { return texelFetch(source, texel, 0).r; }
float guess_at(ivec3 texel) { return texelFetch(guess, texel, 0).r; }
#else
float source_at(ivec3 texel) { return texelFetch(source, texel.xy, 0).r; }
float guess_at(ivec3 texel) { return texelFetch(guess, texel.xy, 0).r; }
#endif

void main() {
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    int count = params.own.x * params.own.y * params.own.z;
    vec4 sums = vec4(0.0);   // of the rhs, of its squares, cells; greatest magnitude
    vec4 counts = vec4(0.0); // not finite, fixed
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += stride) {
        ivec3 cell = cell_at(i, params.own);
        ivec3 texel = cell + params.image_halo;
        ivec3 place = cell + params.halo;
        uint kind = kUnknown;
        if (params.has_kinds != 0u)
            kind = kinds.values[place.x + params.size.x * (place.y + params.size.y * place.z)];
        bool needs_guess = params.has_guess != 0u && kind != kSolid;
        if (needs_guess && !is_finite(guess_at(texel))) counts.x += 1.0;
        if (kind == kFixed) counts.y += 1.0;
        if (kind != kUnknown) continue;
        float f = -source_at(texel);
        sums.z += 1.0;
        if (is_finite(f))
            sums = vec4(sums.x + f, sums.y + f * f, sums.z, max(sums.w, abs(f)));
        else
            counts.x += 1.0;
    }
    vec4 all_sums = group_sum(sums);
    vec4 all_counts = group_sum(counts);
    if (gl_LocalInvocationIndex != 0u) return;
    partial_sums.values[2u * gl_WorkGroupID.x] = all_sums;
    partial_sums.values[2u * gl_WorkGroupID.x + 1u] = all_counts;
}
