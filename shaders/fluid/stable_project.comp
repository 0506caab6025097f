#version 460
// Takes the pressure's gradient off velocities on faces; and the velocities at the middles of cells.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 32, local_size_y = 8) in;

#include "projection.glsl"

readonly buffer Pressure { float values[]; } pressure;
writeonly buffer FacesAfter { float values[]; } faces_after;
writeonly buffer Centers { vec4 cells[]; } centers;
buffer Status {
#include "status.glsl"
} status;

float pressure_in(ivec3 cell) {
    return pressure.values[problem_index(cell)];
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

// The same along all axes, in inner cells: all is read before anything is asked of it. In two
// dimensions y stands for z as well, and both of its faces are the same one.
vec3 store_inner(ivec3 cell) {
    ivec3 size = params.problem_dims;
    uint here = problem_index(cell);
    uvec3 pressure_stride = uvec3(1, size.x, grid.dims.z > 1 ? size.x * size.y : 0);
    uvec3 turn = turns(cell);
    float own = pressure.values[here];
    vec3 low, high, low_velocity, high_velocity;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        low[axis] = pressure.values[here - pressure_stride[axis]];
        high[axis] = pressure.values[here + pressure_stride[axis]];
        uint face = face_index(cell, min(axis, axes() - 1));
        low_velocity[axis] = moved.values[face];
        high_velocity[axis] = moved.values[face + turn[axis]];
    }
    low_velocity -= own - low;
    high_velocity -= high - own;
    for (int axis = 0; axis < axes(); ++axis)
        faces_after.values[face_index(cell, axis)] = low_velocity[axis];
    return 0.5 * (low_velocity + high_velocity);
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, ivec3(1))) return;
    ivec3 cell = cell_taken(invocation, ivec3(1));
    vec4 middle = vec4(0.0);
    if (is_inner(cell)) {
        middle.xyz = store_inner(cell);
    } else {
        middle.xy = vec2(store_along(cell, 0), store_along(cell, 1));
        if (grid.dims.z > 1) middle.z = store_along(cell, 2);
    }
    if (grid.dims.z == 1) middle.z = 0.0;
    bvec4 fast = greaterThan(abs(middle), vec4(params.fastest));
    if (any(fast)) atomicAdd(status.clamped_speeds, 1u);
    centers.cells[cell_index(cell)] = mix(middle, sign(middle) * params.fastest, fast);
}
