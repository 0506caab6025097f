// Velocities on faces from where their fluid was a step ago, with forces and emitters.
// Stam, "Stable Fluids", SIGGRAPH 1999.

#include "motion.glsl"

uniform Params {
    float dt;
    vec3 gravity;
    vec3 inflow;
    uint from_rest; // 1: the state before is not looked at
    float reach;    // cells that fluid crosses along an axis, at most
    int depth;      // slices of a group in three dimensions, 32 or fewer
    ivec3 own_from; // where ranks have the field in parts: the rank's cells
    ivec3 own_to;
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
buffer Status {
#include "status.glsl"
} status;

// Between faces of the axis (`across`), or between middles of cells. Beyond walls fluid goes along
// them as at them, and through them not at all.
Reach reach(float place, int axis, bool across) {
    const uint kIn = 1u << kInflow;
    return reach_along(axis, grid.dims[axis], place, across ? kIn | 1u << kWall : kIn);
}

uvec3 strides() {
    ivec3 held = held_dims();
    return uvec3(1, held.x, held.x * held.y);
}
// How far from the first values of an axis those of both neighbours are.
uvec2 turn_along(int axis, Reach reach) {
    return uvec2(held_at(axis, reach.at.x, 1), held_at(axis, reach.at.y, 1)) * strides()[axis];
}
float on_line(uint start, Reach x) {
    uvec2 turn = turn_along(0, x);
    return x.share.x * before.values[start + turn.x] + x.share.y * before.values[start + turn.y];
}
float on_sheet(uint start, Reach x, Reach y) {
    uvec2 turn = turn_along(1, y);
    return y.share.x * on_line(start + turn.x, x) + y.share.y * on_line(start + turn.y, x);
}
float between(Reach x, Reach y, Reach z, int axis) {
    uint start = uint(axis) * faces_of_an_axis();
    uvec2 turn = turn_along(2, z);
    float sum = z.share.x * on_sheet(start + turn.x, x, y);
    if (grid.dims.z > 1) sum += z.share.y * on_sheet(start + turn.y, x, y);
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
    int third = 3 - axis - other;
    Reach beside = reach(float(cell[axis]) - 0.5, axis, false);
    Reach across = reach(float(cell[other]) + 0.5, other, true);
    uvec2 start = uint(other) * faces_of_an_axis() +
                  uint(held_at(third, cell[third], 1)) * strides()[third] +
                  turn_along(axis, beside);
    uvec2 turn = turn_along(other, across);
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

// How far something comes, at most as far as it may; not at all where nobody knows.
vec3 held_way(vec3 way) {
    bvec3 is_known = lessThanEqual(floatBitsToUint(way) & 0x7fffffffu, uvec3(0x7f800000u));
    return mix(vec3(0.0), clamp(way, -params.reach, params.reach), is_known);
}
float carried_along(ivec3 cell, int axis) {
    vec3 face = vec3(cell) + 0.5;
    face[axis] -= 0.5;
    vec3 halfway = face - held_way(0.5 * params.dt * velocity_on_face(cell, axis));
    return velocity_along(face - held_way(params.dt * velocity_at(halfway)), axis);
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

// Others are counted by the rank that has them.
bool is_own(ivec3 cell) {
    return kParts == 0u || (all(greaterThanEqual(cell, params.own_from)) &&
                            all(lessThan(cell, params.own_to)));
}

// Stores what becomes of velocities that have been carried to a cell's faces.
void store(ivec3 cell, vec3 carried) {
    vec4 result = vec4(moved(cell, 0, carried.x), moved(cell, 1, carried.y), 0.0, 0.0);
    if (grid.dims.z > 1) result.z = moved(cell, 2, carried.z);
    if (!is_finite(result)) {
        if (is_own(cell)) atomicAdd(status.not_finite, 1u);
        result = vec4(0.0);
    }
    after.values[face_index(cell, 0)] = result.x;
    after.values[face_index(cell, 1)] = result.y;
    if (grid.dims.z > 1) after.values[face_index(cell, 2)] = result.z;
}
