#version 460
// What couples the cells of a grid with solid and fixed ones: see stencil.glsl.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
} params;

readonly buffer Cells { uint kinds[]; } cells;
writeonly buffer Result { vec4 values[]; } result;

#include "solver/grid.glsl"

const uint kUnknown = 0u;
const uint kSolid = 1u;

void main() {
    int i = int(gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256u);
    if (i >= cell_count()) return;
    ivec3 cell = cell_at(i);
    uint own = cells.kinds[i];
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    vec3 faces = vec3(0.0);
    float walls = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 below = cell;
        below[axis] -= 1;
        below = wrapped(below);
        if (is_inside(below)) {
            uint other = cells.kinds[index_of(below)];
            if (own != kSolid && other != kSolid && (own == kUnknown || other == kUnknown))
                faces[axis] = low[axis];
        } else {
            walls += low[axis]; // to a face at which the solution is 0
        }
        if (params.wraps[axis] == 0 && cell[axis] == params.cells[axis] - 1) walls += high[axis];
    }
    result.values[i] = vec4(faces, own == kUnknown ? walls : -1.0);
}
