#version 460
// Sums of the squares of the residual, and of the solution, on a rank's part: a part of them for each
// group. KEPT: the residual is written, too.
// CELLS: there are solid or fixed cells.
//! variants KEPT=0,1 CELLS=0,1
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
} params;

writeonly buffer PartialSums { vec4 values[]; } partial_sums;
#if KEPT
writeonly buffer Result { float values[]; } result;
#endif

#include "part.glsl"
#include "part_residual.glsl"
#include "solver/group_sum.glsl"

void main() {
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 sums = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < own_count(); i += stride) {
        ivec3 place = own_place(i);
        float r = residual_at(place, cell_of(place));
        sums.xy += vec2(r * r, source.values[index_at(place)]);
#if KEPT
        result.values[index_at(place)] = r;
#endif
    }
    vec4 all = group_sum(sums);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
}
