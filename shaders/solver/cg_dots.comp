#version 460
// Conjugate gradients: dot products of the preconditioned residual with the residual and with the
// former direction's image, a part of them for each group.
layout(local_size_x = 256) in;

uniform Params { int count; } params;

readonly buffer Preconditioned { float values[]; } preconditioned;
readonly buffer Residual { float values[]; } residual;
readonly buffer Applied { float values[]; } applied;
writeonly buffer Parts { vec4 values[]; } parts;

#include "solver/group_sum.glsl"

void main() {
    int stride = int(gl_NumWorkGroups.x) * 256;
    vec4 sums = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride) {
        float z = preconditioned.values[i];
        sums.xy += z * vec2(residual.values[i], applied.values[i]);
    }
    vec4 all = group_sum(sums);
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = all;
}
