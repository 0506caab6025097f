#version 460
// Adds up parts of sums: of each the first three numbers are added, and the greatest of the fourth is
// taken.
layout(local_size_x = 256) in;

uniform Params {
    int parts;
    int vectors; // of each part
} params;

readonly buffer PartialSums { vec4 values[]; } partial_sums;
writeonly buffer Result { vec4 values[]; } result;

#include "solver/group_sum.glsl"

void main() {
    for (int vector = 0; vector < params.vectors; ++vector) {
        vec4 sums = vec4(0.0);
        for (int i = int(gl_LocalInvocationIndex); i < params.parts; i += int(gl_WorkGroupSize.x)) {
            vec4 part = partial_sums.values[params.vectors * i + vector];
            sums = vec4(sums.xyz + part.xyz, max(sums.w, part.w));
        }
        sums = group_sum(sums);
        if (gl_LocalInvocationIndex == 0u) result.values[vector] = sums;
    }
}
