#version 460
// Conjugate gradients: one step, and the sums of the residual's squares and of the solution after it,
// a part of them for each group. Where the direction has no energy, to within rounding, there is none.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    int parts;
} params;

readonly buffer Direction { float values[]; } direction;
readonly buffer Applied { float values[]; } applied;
readonly buffer Energies { vec4 values[]; } energies; // parts of direction . image
readonly buffer Numbers { float values[]; } numbers;  // residual . preconditioned
writeonly buffer Former { float values[]; } former;
buffer Solution { float values[]; } solution;
buffer Residual { float values[]; } residual;
writeonly buffer Parts { vec4 values[]; } parts;

#include "solver/group_sum.glsl"

void main() {
    float energy = 0.0;
    for (int i = int(gl_LocalInvocationIndex); i < params.parts; i += 256)
        energy += energies.values[i].x;
    energy = group_sum(vec4(energy, 0.0, 0.0, 0.0)).x;
    float square = numbers.values[0];
    // A preconditioner gives its directions an energy about the square's.
    float step_ = energy > 1e-3 * abs(square) ? square / energy : 0.0;
    int stride = int(gl_NumWorkGroups.x) * 256;
    vec4 sums = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride) {
        float u = solution.values[i] + step_ * direction.values[i];
        solution.values[i] = u;
        float r = residual.values[i] - step_ * applied.values[i];
        residual.values[i] = r;
        sums.xy += vec2(r * r, u);
    }
    vec4 all = group_sum(sums);
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = all;
    if (gl_GlobalInvocationID.x != 0u) return;
    former.values[0] = square;
    former.values[1] = step_;
}
