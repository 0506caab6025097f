#version 460
// Conjugate gradients: one step, and the sum of the residual's squares after it, a part of it for
// each group. Where the direction has no energy, to within rounding, there is none.
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
    float sum = 0.0;
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride) {
        solution.values[i] += step_ * direction.values[i];
        float r = residual.values[i] - step_ * applied.values[i];
        residual.values[i] = r;
        sum += r * r;
    }
    vec4 all = group_sum(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = all;
    if (gl_GlobalInvocationID.x != 0u) return;
    former.values[0] = square;
    former.values[1] = step_;
}
