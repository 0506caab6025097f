#version 460
//! variants CELLS=0,1
// Conjugate residuals on a rank's part: the operator on the preconditioned residual. Of each group a
// part of its dot products with the former direction's image, with itself and with the residual.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
} params;

readonly buffer Image { float values[]; } image;
readonly buffer Residual { float values[]; } residual;
writeonly buffer Result { float values[]; } result;
writeonly buffer PartialSums { vec4 values[]; } partial_sums;

#include "part.glsl"
#include "part_stencil.glsl"
#include "solver/group_sum.glsl"

void main() {
    int stride = int(gl_NumWorkGroups.x * gl_WorkGroupSize.x);
    vec4 sums = vec4(0.0);
    for (int i = int(gl_GlobalInvocationID.x); i < own_count(); i += stride) {
        ivec3 place = own_place(i);
        int own = index_at(place);
        Stencil s = stencil_at(place, cell_of(place));
        float applied = s.diagonal == 0.0 ? 0.0 : s.diagonal * source.values[own] - s.around;
        result.values[own] = applied;
        sums.xyz += applied * vec3(image.values[own], applied, residual.values[own]);
    }
    vec4 all = group_sum(sums);
    if (gl_LocalInvocationIndex == 0u) partial_sums.values[gl_WorkGroupID.x] = all;
}
