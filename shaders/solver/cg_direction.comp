#version 460
// Conjugate gradients: the next direction. Its share of the former one is Polak's and Ribiere's,
// which allows for a preconditioner that is not quite symmetric; it is written with the former
// step, for the residual changed by -step * image.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    int parts;
} params;

readonly buffer Preconditioned { float values[]; } preconditioned;
readonly buffer Parts { vec4 values[]; } parts;
readonly buffer Former { float values[]; } former; // (residual . preconditioned), step
writeonly buffer Next { float values[]; } next;
buffer Direction { float values[]; } direction;

#include "solver/group_sum.glsl"

void main() {
    vec4 sums = vec4(0.0);
    for (int i = int(gl_LocalInvocationIndex); i < params.parts; i += 256)
        sums += parts.values[i];
    sums = group_sum(sums);
    float square = former.values[0];
    float share = square > 0.0 ? -former.values[1] * sums.y / square : 0.0;
    int stride = int(gl_NumWorkGroups.x) * 256;
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride)
        direction.values[i] = preconditioned.values[i] + share * direction.values[i];
    if (gl_GlobalInvocationID.x == 0u) next.values[0] = sums.x;
}
