#version 460
// The velocities at the middles of cells from those on their faces.

layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
    ivec3 dims;
    uint faces;
} params;

#include "fluid/solid.glsl"
#include "fluid/faces.glsl"

readonly buffer Velocities { vec4 cells[]; } velocities;
writeonly buffer After { vec4 cells[]; } after;

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    vec4 low = velocities.cells[cell_index(cell)];
    vec4 middle = vec4(0.0);
    for (int axis = 0; axis < axes(); ++axis) {
        ivec3 next = cell;
        next[axis] += 1;
        float high = is_inside(next) ? velocities.cells[cell_index(next)][axis] : 0.0;
        middle[axis] = 0.5 * (low[axis] + high);
    }
    after.cells[cell_index(cell)] = middle;
}
