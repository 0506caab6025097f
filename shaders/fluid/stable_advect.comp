#version 460
// Velocities on faces from where their fluid was a step ago, with forces and emitters.
// Stam, "Stable Fluids", SIGGRAPH 1999.

layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
    ivec3 dims;
    uint faces;
    float dt;
    vec3 gravity;
    uint from_rest; // 1: the state before is not looked at
#include "fluid/emitter_params.glsl"
} params;

#include "fluid/emitters.glsl"
#include "fluid/finite.glsl"
#include "fluid/solid.glsl"
#include "fluid/faces.glsl"

layout(constant_id = 1) const uint kForced = 0u; // 1: there is a force for each cell

readonly buffer Before { vec4 cells[]; } before;
readonly buffer Forces { vec4 cells[]; } forces;
writeonly buffer After { vec4 cells[]; } after;
buffer Status { uint words[]; } status;

// The velocity on a face of `axis`. Beyond walls: along them as at them, through them none.
float face_velocity(ivec3 cell, int axis) {
    for (int k = 0; k < 3; ++k) {
        int size = params.dims[k];
        bool high = cell[k] >= size;
        if (!high && cell[k] >= 0) continue;
        if (face_of(k, high) == kPeriodic) {
            cell[k] = modulo(cell[k], size);
        } else {
            if (k == axis) return 0.0;
            cell[k] = clamp(cell[k], 0, size - 1);
        }
    }
    return before.cells[cell_index(cell)][axis];
}

// Linear between the faces of `axis`; `place` in cells.
float velocity_along(vec3 place, int axis) {
    vec3 from = place - 0.5;
    from[axis] += 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    bool flat_field = params.dims.z == 1;
    if (flat_field) corner.z = share.z = 0.0;
    float sum = 0.0;
    int corners = flat_field ? 4 : 8;
    for (int i = 0; i < corners; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        sum += part.x * part.y * part.z * face_velocity(ivec3(corner) + side, axis);
    }
    return sum;
}

vec3 velocity_at(vec3 place) {
    // Far outside it makes no difference where, and whole numbers stay in their range.
    vec3 size = vec3(params.dims);
    place = clamp(place, -size, 2.0 * size);
    vec3 velocity = vec3(velocity_along(place, 0), velocity_along(place, 1), 0.0);
    if (params.dims.z > 1) velocity.z = velocity_along(place, 2);
    return velocity;
}

float carried(vec3 face, int axis) {
    vec3 halfway = face - 0.5 * params.dt * velocity_at(face);
    vec3 origin = face - params.dt * velocity_at(halfway);
    vec3 size = vec3(params.dims);
    return velocity_along(clamp(origin, -size, 2.0 * size), axis);
}

// Of a cell and the one before it.
float force_on(ivec3 cell, int axis) {
    if (kForced == 0u) return params.gravity[axis];
    ivec3 beside = cell;
    beside[axis] -= 1;
    bool has_beside = is_inside(beside);
    float mean = forces.cells[cell_index(cell)][axis];
    if (has_beside) mean = 0.5 * (mean + forces.cells[cell_index(beside)][axis]);
    return params.gravity[axis] + mean;
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.dims))) return;
    vec4 result = vec4(0.0);
    for (int axis = 0; axis < axes(); ++axis) {
        if (!is_open_face(cell, axis)) continue;
        vec3 face = vec3(cell) + 0.5;
        face[axis] -= 0.5;
        float velocity = params.from_rest != 0u ? 0.0 : carried(face, axis);
        velocity += params.dt * force_on(cell, axis);
        for (uint i = 0u; i < params.emitters; ++i)
            velocity = mix(velocity, params.emitter_velocities[i][axis],
                           emitted_share(i, face, params.dt));
        result[axis] = velocity;
    }
    if (!is_finite(result)) {
        atomicAdd(status.words[2], 1u);
        result = vec4(0.0);
    }
    after.cells[cell_index(cell)] = result;
}
