#version 460
// What couples the cells of a grid with solid and fixed ones: see stencil.glsl.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
} params;

readonly buffer Cells { uint kinds[]; } cells;
writeonly buffer Result { vec4 values[]; } result;

#include "solver/grid.glsl"
#include "invocation.glsl"

const uint kUnknown = 0u;
const uint kSolid = 1u;

bool are_coupled(uint a, uint b) {
    return a != kSolid && b != kSolid && (a == kUnknown || b == kUnknown);
}

void main() {
    int i = int(invocation_index());
    if (i >= cell_count()) return;
    ivec3 cell = cell_at(i, params.cells);
    uint own = cells.kinds[i];
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    vec3 faces = vec3(0.0);
    float walls = 0.0;
    bool alone = true; // nothing couples it to anything: there is nothing to solve
    for (int axis = 0; axis < 3; ++axis) {
        ivec3 step_ = ivec3(0);
        step_[axis] = 1;
        ivec3 below = wrapped(cell - step_);
        ivec3 above = wrapped(cell + step_);
        if (!is_inside(below))
            walls += low[axis]; // to a face at which the solution is 0
        else if (are_coupled(own, cells.kinds[index_of(below)]))
            faces[axis] = low[axis];
        if (!is_inside(above))
            walls += high[axis];
        else if (high[axis] > 0.0 && are_coupled(own, cells.kinds[index_of(above)]))
            alone = false;
    }
    alone = alone && walls == 0.0 && faces == vec3(0.0);
    bool unknown = own == kUnknown && !alone;
    result.values[i] = vec4(faces, unknown ? walls : -1.0);
}
