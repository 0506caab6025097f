#version 460
// Takes the pressure's gradient off velocities on faces; and the velocities at the middles of cells.

layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
    ivec3 dims;
    uint faces;
} params;

#include "fluid/solid.glsl"
#include "fluid/faces.glsl"

readonly buffer Moved { vec4 cells[]; } moved;
readonly buffer Pressure { float values[]; } pressure;
writeonly buffer FacesAfter { vec4 cells[]; } faces_after;
writeonly buffer Centers { vec4 cells[]; } centers;

float projected(ivec3 cell, int axis) {
    ivec3 beside = cell;
    beside[axis] -= 1;
    if (!is_open_face(cell, axis)) return 0.0;
    bool here = is_inside(cell); // both are, and find those that stand for them
    bool there = is_inside(beside);
    uint index = cell_index(cell);
    return moved.cells[index][axis] -
           (pressure.values[index] - pressure.values[cell_index(beside)]);
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    vec4 low = vec4(0.0);
    vec4 middle = vec4(0.0);
    for (int axis = 0; axis < axes(); ++axis) {
        ivec3 next = cell;
        next[axis] += 1;
        low[axis] = projected(cell, axis);
        middle[axis] = 0.5 * (low[axis] + projected(next, axis));
    }
    faces_after.cells[cell_index(cell)] = low;
    centers.cells[cell_index(cell)] = middle;
}
