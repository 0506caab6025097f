#version 460
// Conjugate residuals: turns the preconditioned residual into a direction whose image is orthogonal to
// that of the former one, and goes as far as makes the residual least. So it never grows, not even
// where a pocket of cells has a right-hand side without a solution, which no image has a part of. Of
// each group a part of the sums of the residual's squares and of the solution after it.
layout(local_size_x = 256) in;

uniform Params {
    int count;
    int partial_sums;
} params;

readonly buffer Preconditioned { float values[]; } preconditioned;
readonly buffer Applied { float values[]; } applied; // its image
readonly buffer Products { vec4 values[]; } products; // parts, see laplace.glsl
readonly buffer Former { float square; } former;      // of the former direction's image; 0: none
writeonly buffer Next { float square; } next;
buffer Direction { float values[]; } direction;
buffer Image { float values[]; } image;
buffer Solution { float values[]; } solution;
buffer Residual { float values[]; } residual;
writeonly buffer PartialSums { vec4 values[]; } partial_sums;

#include "solver/cr_step.glsl"
#include "solver/group_sum.glsl"

void main() {
    vec4 sums = vec4(0.0);
    for (int i = int(gl_LocalInvocationIndex); i < params.partial_sums; i += int(gl_WorkGroupSize.x))
        sums += products.values[i];
    sums = group_sum(sums);
    CrStep s = cr_step(sums.xyz, former.square);
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 after = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < params.count; i += stride) {
        float d = preconditioned.values[i] + s.share * direction.values[i];
        float a = applied.values[i] + s.share * image.values[i];
        direction.values[i] = d;
        image.values[i] = a;
        float u = solution.values[i] + s.step_ * d;
        solution.values[i] = u;
        float r = residual.values[i] - s.step_ * a;
        residual.values[i] = r;
        after.xy += vec2(r * r, u);
    }
    vec4 all = group_sum(after);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
    if (gl_GlobalInvocationID.x == 0u) next.square = s.square;
}
