#version 460
// The velocities at the middles of cells from those on their faces.

layout(local_size_x = 32, local_size_y = 8) in;

#include "motion.glsl"

uniform Params {
    vec3 inflow;
    Motion solids;
} params;

#include "solid.glsl"
#include "faces.glsl"

readonly buffer Velocities { float values[]; } velocities;
writeonly buffer After { vec4 cells[]; } after;

float through(ivec3 cell, int axis) {
    Face face = face_at(cell, axis);
    if (face.at_end && !is_passable(face)) return imposed(face, axis, params.inflow, params.solids);
    return velocities.values[face_index(face.high, axis)];
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, ivec3(1))) return;
    ivec3 cell = cell_taken(invocation, ivec3(1));
    vec4 middle = vec4(0.0);
    for (int axis = 0; axis < axes(); ++axis) {
        ivec3 next = cell;
        next[axis] += 1;
        middle[axis] = 0.5 * (through(cell, axis) + through(next, axis));
    }
    after.cells[cell_index(cell)] = middle;
}
