#version 460
// A step of conjugate residuals on a rank's part; see solver/cr_step. The products are those of all
// ranks. Of each group a part of the sums of the residual's squares and of the solution after it.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
    int ranks; // whose products there are
} params;

readonly buffer Preconditioned { float values[]; } preconditioned;
readonly buffer Applied { float values[]; } applied; // its image
readonly buffer Products { vec4 values[]; } products;
readonly buffer Former { float square; } former;      // of the former direction's image; 0: none
writeonly buffer Next { float square; } next;
buffer Direction { float values[]; } direction;
buffer Image { float values[]; } image;
buffer Solution { float values[]; } solution;
buffer Residual { float values[]; } residual;
writeonly buffer PartialSums { vec4 values[]; } partial_sums;

#include "part.glsl"
#include "solver/cr_step.glsl"
#include "solver/group_sum.glsl"

void main() {
    vec3 sums = vec3(0.0);
    for (int rank = 0; rank < params.ranks; ++rank)
        sums += products.values[rank].xyz;
    CrStep s = cr_step(sums, former.square);
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 after = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < own_count(); i += stride) {
        int own = index_at(own_place(i));
        float d = preconditioned.values[own] + s.share * direction.values[own];
        float a = applied.values[own] + s.share * image.values[own];
        direction.values[own] = d;
        image.values[own] = a;
        float u = solution.values[own] + s.step_ * d;
        solution.values[own] = u;
        float r = residual.values[own] - s.step_ * a;
        residual.values[own] = r;
        after.xy += vec2(r * r, u);
    }
    vec4 all = group_sum(after);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
    if (gl_GlobalInvocationID.x == 0u) next.square = s.square;
}
