// Conjugate gradients: the operator on the direction, and their dot product, a part of it for each
// group.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
} params;

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;
writeonly buffer Parts { vec4 values[]; } parts;

#include "solver/grid.glsl"
#include "solver/group_sum.glsl"
#include "solver/stencil.glsl"
#include "solver/field.glsl"

void main() {
    int count = cell_count();
    int stride = int(gl_NumWorkGroups.x) * 256;
    float sum = 0.0;
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += stride) {
        ivec3 cell = cell_at(i);
        Stencil s = stencil_at(cell);
        float own = source.values[i];
        float image = s.diagonal == 0.0 ? 0.0 : s.diagonal * own - neighbours_at(cell, s);
        result.values[i] = image;
        sum += own * image;
    }
    vec4 all = group_sum(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = all;
}
