#version 460
//! variants FORM=0,1,2
// What there is to solve, of a rank's part, as solver/rhs_norm has it: a part of the sums of each
// group. FORM: it is in a picture, a volume or an array. The equation of mpi/poisson is laplace(u) =
// source, so the right-hand side is -source of images; an array has it as it is.
layout(local_size_x = 256) in;

#if FORM == 0
uniform sampler2D source;
uniform sampler2D guess;
#elif FORM == 1
uniform sampler3D source;
uniform sampler3D guess;
#else
readonly buffer Source { float values[]; } source;
#endif

uniform Params {
    ivec3 own;        // cells of the part
    ivec3 image_halo; // of images, texels
    ivec3 size;       // of arrays, with the halo
    ivec3 halo;
    uint has_guess;
    uint has_kinds;   // 0: all cells are unknown
} params;

readonly buffer Kinds { uint values[]; } kinds;

writeonly buffer PartialSums { vec4 values[]; } partial_sums; // two a group

#include "solver/cell_at.glsl"
#include "solver/group_sum.glsl"
#include "kinds.glsl"

int index_at(ivec3 place) {
    return place.x + params.size.x * (place.y + params.size.y * place.z);
}

bool is_finite(float value) {
    return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
}

// Of a cell of the part, which an array has at `place`.
#if FORM == 0
float rhs_at(ivec3 cell, ivec3 place) {
    return -texelFetch(source, cell.xy + params.image_halo.xy, 0).r;
}
float guess_at(ivec3 cell) { return texelFetch(guess, cell.xy + params.image_halo.xy, 0).r; }
#elif FORM == 1
float rhs_at(ivec3 cell, ivec3 place) {
    return -texelFetch(source, cell + params.image_halo, 0).r;
}
float guess_at(ivec3 cell) { return texelFetch(guess, cell + params.image_halo, 0).r; }
#else
float rhs_at(ivec3 cell, ivec3 place) {
    return source.values[index_at(place)];
}
float guess_at(ivec3 cell) { return 0.0; }
#endif

void main() {
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    int count = params.own.x * params.own.y * params.own.z;
    vec4 sums = vec4(0.0);   // of the rhs, of its squares, cells; greatest magnitude
    vec4 counts = vec4(0.0); // not finite, fixed
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += stride) {
        ivec3 cell = cell_at(i, params.own);
        ivec3 place = cell + params.halo;
        uint kind = kUnknown;
        if (params.has_kinds != 0u) kind = kinds.values[index_at(place)];
        bool needs_guess = params.has_guess != 0u && kind != kSolid;
        if (needs_guess && !is_finite(guess_at(cell))) counts.x += 1.0;
        if (kind == kFixed) counts.y += 1.0;
        if (kind != kUnknown) continue;
        float f = rhs_at(cell, place);
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
