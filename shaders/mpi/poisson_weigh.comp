#version 460
// What couples the cells of a rank's part of the finest grid, with solid and fixed ones: as
// solver/weigh has it. `kinds` are known one cell beyond the part.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
} params;

readonly buffer Kinds { uint values[]; } kinds;
writeonly buffer Result { vec4 values[]; } result;

#include "kinds.glsl"
#include "part.glsl"

bool are_coupled(uint a, uint b) {
    return a != kSolid && b != kSolid && (a == kUnknown || b == kUnknown);
}

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (!is_within(place, 0)) return;
    ivec3 cell = cell_of(place);
    int index = index_at(place);
    uint own = kinds.values[index];
    vec3 low = low_weights(cell);
    vec3 high = high_weights(cell);
    Neighbours n = neighbours_of(index, cell);
    vec3 faces = vec3(0.0);
    float walls = 0.0;
    bool alone = true; // nothing couples it to anything: there is nothing to solve
    for (int axis = 0; axis < 3; ++axis) {
        if (!n.has_below[axis])
            walls += low[axis]; // to a face at which the solution is 0
        else if (are_coupled(own, kinds.values[n.below[axis]]))
            faces[axis] = low[axis];
        if (!n.has_above[axis])
            walls += high[axis];
        else if (high[axis] > 0.0 && are_coupled(own, kinds.values[n.above[axis]]))
            alone = false;
    }
    alone = alone && walls == 0.0 && faces == vec3(0.0);
    bool unknown = own == kUnknown && !alone;
    result.values[index] = vec4(faces, unknown ? walls : -1.0);
}
