#version 460
// CELLS: there are solid or fixed cells.
//! variants CELLS=0,1

// Conjugate residuals: the operator on the preconditioned residual. Of each group a part of its dot
// products with the former direction's image, with itself and with the residual.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
} params;

readonly buffer Image { float values[]; } image;
readonly buffer Residual { float values[]; } residual;
writeonly buffer Result { float values[]; } result;
writeonly buffer PartialSums { vec4 values[]; } partial_sums;

#include "solver/grid.glsl"
#include "solver/group_sum.glsl"
#include "stencil.glsl"

void main() {
    int count = cell_count();
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 sums = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += stride) {
        ivec3 cell = cell_at(i, params.cells);
        Stencil s = stencil_at(cell);
        float applied =
            s.diagonal == 0.0 ? 0.0 : s.diagonal * source.values[i] - neighbours_at(cell, s);
        result.values[i] = applied;
        sums.xyz += applied * vec3(image.values[i], applied, residual.values[i]);
    }
    vec4 all = group_sum(sums);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
}
