#version 460
// CELLS: there are solid or fixed cells. KEPT: the residual is written, too.
//! variants CELLS=0,1 KEPT=0,1

// Sums of the squares of the residual, and of the solution, a part of them for each group. With KEPT the
// residual is written, too.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
    uint has_status;
} params;

writeonly buffer PartialSums { vec4 values[]; } partial_sums;
#if KEPT
writeonly buffer Result { float values[]; } result;
#endif

#include "solver/grid.glsl"
#include "solver/group_sum.glsl"
#include "rhs.glsl"
#include "stencil.glsl"

void main() {
    int count = cell_count();
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    float shift = rhs_shift(params.has_status);
    float sum = 0.0;
    float solution = 0.0;
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += stride) {
        ivec3 cell = cell_at(i, params.cells);
        Stencil s = stencil_at(cell);
        float r = 0.0;
        if (s.diagonal != 0.0)
            r = rhs.values[i] - shift - (s.diagonal * source.values[i] - neighbours_at(cell, s));
#if KEPT
        result.values[i] = r;
#endif
        sum += r * r;
        solution += source.values[i];
    }
    vec4 all = group_sum(vec4(sum, solution, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
}
