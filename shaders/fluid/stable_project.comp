#version 460
// Takes the pressure's gradient off velocities on faces; and the velocities at the middles of cells.

layout(local_size_x = 32, local_size_y = 8) in;

#include "fluid/projection.glsl"

readonly buffer Pressure { float values[]; } pressure;
writeonly buffer FacesAfter { float values[]; } faces_after;
writeonly buffer Centers { vec4 cells[]; } centers;

float pressure_in(ivec3 cell) {
    ivec3 place = cell + params.offset;
    ivec3 size = params.problem_dims;
    return pressure.values[uint((place.z * size.y + place.y) * size.x + place.x)];
}

float projected(ivec3 cell, int axis) {
    Face face = face_at(cell, axis);
    float velocity = driven(face, axis);
    if (!is_passable(face)) return velocity;
    float low = face.beyond == kOpen && !face.at_end ? 0.0 : pressure_in(face.low);
    float high = face.beyond == kOpen && face.at_end ? 0.0 : pressure_in(face.high);
    return velocity - (high - low);
}

// Both faces of a cell: stores the one, and returns the mean.
float store_along(ivec3 cell, int axis) {
    ivec3 next = cell;
    next[axis] += 1;
    float low = projected(cell, axis);
    faces_after.values[face_index(cell, axis)] = low;
    return 0.5 * (low + projected(next, axis));
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    vec4 middle = vec4(store_along(cell, 0), store_along(cell, 1), 0.0, 0.0);
    if (params.dims.z > 1) middle.z = store_along(cell, 2);
    centers.cells[cell_index(cell)] = middle;
}
