// Velocities on faces from where their fluid was a step ago, with forces and emitters.
// Stam, "Stable Fluids", SIGGRAPH 1999.

#include "motion.glsl"

uniform Params {
    float dt;
    vec3 gravity;
    vec3 inflow;
    uint from_rest; // 1: the state before is not looked at
    int depth;      // slices of a group in three dimensions, 32 or fewer
    Motion solids;
    uint emitters;
    vec4 emitter_places[8];     // middle and radius, cells
    vec4 emitter_velocities[8]; // velocity, and the rate at which fluid takes it on
    vec4 emitter_dyes[8];
} params;

#include "emitters.glsl"
#include "finite.glsl"
#include "solid.glsl"
#include "faces.glsl"
#include "reach.glsl"

layout(constant_id = 1) const uint has_forces = 0u;

readonly buffer Before { float values[]; } before; // as fluid/faces.glsl says
readonly buffer Forces { vec4 cells[]; } forces;
writeonly buffer After { float values[]; } after;
buffer Status { // FluidStatus in passes/fluid/field.hpp
    uint clamped_densities;
    uint clamped_speeds;
    uint not_finite;
    uint forces_left_out;
    uint held_steps;
    float elapsed; // where steps adapt, time units of this execution
    uint fastest[3]; // the same, as the bits of floats: the greatest speed along an axis before a
                     // step, that after it, and the one that the step clears for the next
} status;

// Between faces of the axis (`across`), or between middles of cells. Beyond walls fluid goes along
// them as at them, and through them not at all.
Reach reach(float place, int axis, bool across) {
    const uint kIn = 1u << kInflow;
    return reach_along(axis, grid.dims[axis], place, across ? kIn | 1u << kWall : kIn);
}

float on_line(uint start, Reach x) {
    return x.share.x * before.values[start + uint(x.at.x)] +
           x.share.y * before.values[start + uint(x.at.y)];
}
float on_sheet(uint start, Reach x, Reach y) {
    uint row = uint(grid.dims.x);
    return y.share.x * on_line(start + uint(y.at.x) * row, x) +
           y.share.y * on_line(start + uint(y.at.y) * row, x);
}
float between(Reach x, Reach y, Reach z, int axis) {
    uint sheet = uint(grid.dims.x * grid.dims.y);
    uint start = uint(axis) * sheet * uint(grid.dims.z);
    float sum = z.share.x * on_sheet(start + uint(z.at.x) * sheet, x, y);
    if (grid.dims.z > 1) sum += z.share.y * on_sheet(start + uint(z.at.y) * sheet, x, y);
    return sum + (1.0 - x.within * y.within * z.within) * params.inflow[axis];
}

// Far outside it makes no difference where, and whole numbers stay in their range.
vec3 nearby(vec3 place) {
    vec3 size = vec3(grid.dims);
    return clamp(place, -size, 2.0 * size);
}
Reach reach_middles(vec3 place, int axis) {
    if (axis == 2 && grid.dims.z == 1) return reach_alone();
    return reach(place[axis] - 0.5, axis, false);
}

// At a place in cells: a component of the velocity, and all of it.
float velocity_along(vec3 place, int axis) {
    place = nearby(place);
    Reach x = axis == 0 ? reach(place.x, 0, true) : reach_middles(place, 0);
    Reach y = axis == 1 ? reach(place.y, 1, true) : reach_middles(place, 1);
    Reach z = axis == 2 ? reach(place.z, 2, true) : reach_middles(place, 2);
    return between(x, y, z, axis);
}
vec3 velocity_at(vec3 place) {
    place = nearby(place);
    Reach x = reach_middles(place, 0);
    Reach y = reach_middles(place, 1);
    Reach z = reach_middles(place, 2);
    vec3 velocity = vec3(between(reach(place.x, 0, true), y, z, 0),
                         between(x, reach(place.y, 1, true), z, 1), 0.0);
    if (grid.dims.z > 1) velocity.z = between(x, y, reach(place.z, 2, true), 2);
    return velocity;
}

// The mean of the velocities along `other` of the four faces around the middle of a face of `axis`.
float velocity_beside(ivec3 cell, int axis, int other) {
    uvec3 stride = uvec3(1, grid.dims.x, grid.dims.x * grid.dims.y);
    Reach beside = reach(float(cell[axis]) - 0.5, axis, false);
    Reach across = reach(float(cell[other]) + 0.5, other, true);
    ivec3 line = cell;
    line[axis] = line[other] = 0;
    uvec2 start = face_index(line, other) + uvec2(beside.at) * stride[axis];
    uvec2 turn = uvec2(across.at) * stride[other];
    return beside.share.x * (across.share.x * before.values[start.x + turn.x] +
                             across.share.y * before.values[start.x + turn.y]) +
           beside.share.y * (across.share.x * before.values[start.y + turn.x] +
                             across.share.y * before.values[start.y + turn.y]) +
           (1.0 - beside.within * across.within) * params.inflow[other];
}

// At the middle of a face.
vec3 velocity_on_face(ivec3 cell, int axis) {
    bool deep = grid.dims.z > 1;
    float own = before.values[face_index(cell, axis)];
    if (axis == 0)
        return vec3(own, velocity_beside(cell, 0, 1), deep ? velocity_beside(cell, 0, 2) : 0.0);
    if (axis == 1)
        return vec3(velocity_beside(cell, 1, 0), own, deep ? velocity_beside(cell, 1, 2) : 0.0);
    return vec3(velocity_beside(cell, 2, 0), velocity_beside(cell, 2, 1), own);
}

float carried_along(ivec3 cell, int axis) {
    vec3 face = vec3(cell) + 0.5;
    face[axis] -= 0.5;
    vec3 halfway = face - 0.5 * params.dt * velocity_on_face(cell, axis);
    return velocity_along(face - params.dt * velocity_at(halfway), axis);
}
// From anywhere.
vec3 carried(ivec3 cell) {
    vec3 velocity = vec3(carried_along(cell, 0), carried_along(cell, 1), 0.0);
    if (grid.dims.z > 1) velocity.z = carried_along(cell, 2);
    return velocity;
}

float force_on(Face face, int axis) {
    if (has_forces == 0u) return params.gravity[axis];
    return params.gravity[axis] + 0.5 * (forces.cells[cell_index(face.low)][axis] +
                                         forces.cells[cell_index(face.high)][axis]);
}

// What becomes of the velocity that has been carried to a face.
float moved(ivec3 cell, int axis, float velocity) {
    Face face = face_at(cell, axis);
    if (!is_passable(face)) return imposed(face, axis, params.inflow, params.solids);
    vec3 place = vec3(cell) + 0.5;
    place[axis] -= 0.5;
    if (params.from_rest != 0u) velocity = 0.0;
    velocity += params.dt * force_on(face, axis);
    for (uint i = 0u; i < params.emitters; ++i)
        velocity = mix(velocity, params.emitter_velocities[i][axis],
                       emitted_share(params.emitter_places[i], params.emitter_velocities[i].w, place,
                                     params.dt));
    return velocity;
}

// Stores what becomes of velocities that have been carried to a cell's faces.
void store(ivec3 cell, vec3 carried) {
    vec4 result = vec4(moved(cell, 0, carried.x), moved(cell, 1, carried.y), 0.0, 0.0);
    if (grid.dims.z > 1) result.z = moved(cell, 2, carried.z);
    if (!is_finite(result)) {
        atomicAdd(status.not_finite, 1u);
        result = vec4(0.0);
    }
    after.values[face_index(cell, 0)] = result.x;
    after.values[face_index(cell, 1)] = result.y;
    if (grid.dims.z > 1) after.values[face_index(cell, 2)] = result.z;
}
