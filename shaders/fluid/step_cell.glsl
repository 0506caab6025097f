// What a step of the density-invariant solver makes of a cell and of those around it: advection by a
// trace back, viscosity, pressure from the density's gradient, forces, and the density from
// conservation of mass, all from the state before.
// Guay, Colin and Egli, "Simple and Fast Fluids", GPU Pro 2, 2011.
//
// Cells are velocity and density - 1; those that are solid have kSolid in place of the latter.
// Before it: kAxes.

#include "motion.glsl"

uniform Params {
    int depth;       // planes that a group steps
    // Where ranks have the field in parts, groups are numbered among those of grid.from to grid.to:
    ivec3 first_group; // the number of the first
    ivec3 left_from;   // those from here up to there do nothing
    ivec3 left_to;
    ivec3 own_from;    // this rank's cells: those whose events it counts
    ivec3 own_to;
    float dt;        // time units
    float stiffness; // K: dt times the pressure of a unit of density
    float viscosity; // cells^2 / time unit
    float fastest;   // cells / time unit, along each axis
    float courant;   // where dt adapts, cells that fluid crosses in a step
    float min_dt;
    uint tick;       // which of the three speeds is that before the step
    vec3 force;      // acceleration of all fluid
    vec3 inflow;
    uint from_rest;  // 1: the state before is not looked at
    Motion solids;
    uint emitters;
    vec4 emitter_places[8];     // middle and radius, cells
    vec4 emitter_velocities[8]; // velocity, and the rate at which fluid takes it on
    vec4 emitter_dyes[8];
} params;

#include "emitters.glsl"
#include "finite.glsl"
#include "solid.glsl"

layout(constant_id = 1) const uint has_forces = 0u;
layout(constant_id = 2) const uint kEndless = 0u;  // 1: all sides are periodic
layout(constant_id = 3) const uint kTwoStage = 0u; // 1: the pressure is that of the new density
layout(constant_id = 7) const uint kClocked = 0u; // 1: dt adapts, and the status keeps time
const bool kBlocked = has_solid != 0u || kEndless == 0u; // there may be solids

readonly buffer Forces { vec4 cells[]; } forces;
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

const float kSolid = -2e30;  // in place of a density - 1
const float kLowest = -1e30; // that of a state is taken as no lower, so that it is no solid's
const float kLeast = -0.5;
const float kMax = 2.0;

float adapted_dt = 0.0;

float step_length() {
    return kClocked != 0u ? adapted_dt : params.dt;
}
// Of dt times the pressure; the speed of sound is that of params.dt however short the step is.
float step_stiffness() {
    return kClocked != 0u ? params.stiffness * (adapted_dt / params.dt) : params.stiffness;
}

void begin_step() {
    if (kClocked == 0u) return;
    float fastest = uintBitsToFloat(status.fastest[params.tick]);
    adapted_dt = fastest * params.dt > params.courant
                     ? max(params.courant / fastest, params.min_dt)
                     : params.dt;
}
// For one invocation of all.
void set_clock() {
    if (kClocked == 0u) return;
    status.elapsed += adapted_dt;
    status.fastest[(params.tick + 2u) % 3u] = 0u;
    if (uintBitsToFloat(status.fastest[params.tick]) * params.min_dt > params.courant)
        atomicAdd(status.held_steps, 1u);
}
void tell_speed(float fastest) {
    atomicMax(status.fastest[(params.tick + 1u) % 3u], floatBitsToUint(fastest));
}

bool is_solid(float density) {
    return kBlocked && density == kSolid;
}

vec4 wall_cell() {
    return vec4(0.0, 0.0, 0.0, kSolid);
}
vec4 inflow_cell() {
    return vec4(params.inflow, 0.0);
}
vec4 obstacle_cell(ivec3 cell) {
    return vec4(solid_velocity(params.solids, vec3(cell) + 0.5), kSolid);
}
// A cell as a state has it; one that is not finite is at rest, and counted where it is the caller's
// `own`.
vec4 fluid_cell(vec4 value, bool own) {
    if (!is_finite(value)) {
        if (own) atomicAdd(status.not_finite, 1u);
        return vec4(0.0);
    }
    value.w = max(value.w, kLowest);
    return value;
}

float pressed(float density, float other) { // that of a solid is what the fluid beside it has
    return is_solid(other) ? density : other;
}

// What flows into a cell along an axis: u . grad(density) + density div(u), of the velocities along
// it. With differences over two cells the sum over all cells does not change. But they do not see
// waves two cells long, which would stand for ever: in two stages viscosity damps those of the
// density as it does those of the velocity.
float flow_along(vec2 low, vec2 own, vec2 high) {
    float below = pressed(own.y, low.y);
    float above = pressed(own.y, high.y);
    float flow = 0.5 * (above - below) * own.x + (1.0 + own.y) * (0.5 * (high.x - low.x));
    return kTwoStage != 0u ? flow - params.viscosity * (below + above - 2.0 * own.y) : flow;
}

float held_density(float density, bool own) {
    if (own && (density < kLeast || density > kMax)) atomicAdd(status.clamped_densities, 1u);
    return clamp(density, kLeast, kMax);
}

vec3 towards(vec3 a, vec3 b, float share) {
    return a + share * (b - a);
}

// The cells on both sides of one along an axis: velocities, and the density that presses.
struct Pair {
    vec4 low;
    vec4 high;
};

struct Sides {
    Pair x;
    Pair y;
    Pair z; // in two dimensions not looked at
};

vec3 back_of(Pair pair, float way) {
    return way > 0.0 ? pair.low.xyz : pair.high.xyz;
}

// The way back along each axis, at most a cell.
vec3 way_back(vec3 velocity) {
    return clamp(step_length() * velocity, -1.0, 1.0);
}
ivec3 cell_back(vec3 way) {
    return ivec3(greaterThan(way, vec3(0.0))) * -2 + 1;
}

// The velocity between the cell that the fluid left, those beside it, and the one at their corner.
vec3 traced_back(vec3 velocity, vec3 way, Sides sides, vec3 corner) {
    vec3 share = abs(way);
    return towards(towards(velocity, back_of(sides.x, way.x), share.x),
                   towards(back_of(sides.y, way.y), corner, share.x), share.y);
}

vec3 given_force(uint index, bool own) {
    if (has_forces == 0u) return params.force;
    vec4 force = forces.cells[index];
    if (is_finite(force)) return params.force + force.xyz;
    if (own) atomicAdd(status.forces_left_out, 1u);
    return params.force;
}

float pressure_slope(Pair pair, float own) {
    return 0.5 * (pressed(own, pair.high.w) - pressed(own, pair.low.w));
}

// Beside solids fluid goes along the axis as they do.
float unless_blocked(Pair pair, int axis, float velocity) {
    bool low = is_solid(pair.low.w);
    bool high = is_solid(pair.high.w);
    if (low && high) return 0.5 * (pair.low[axis] + pair.high[axis]);
    return low ? pair.low[axis] : high ? pair.high[axis] : velocity;
}

// The velocity of a cell of fluid after the step. `traced`: where its fluid was; `pressing`: the
// density that presses.
vec3 next_velocity(ivec3 cell, vec3 old, vec3 traced, float pressing, Sides sides, bool own) {
    vec3 gradient = vec3(pressure_slope(sides.x, pressing), pressure_slope(sides.y, pressing), 0.0);
    vec3 around = sides.x.low.xyz + sides.x.high.xyz + (sides.y.low.xyz + sides.y.high.xyz);
    if (kAxes == 3) {
        gradient.z = pressure_slope(sides.z, pressing);
        around += sides.z.low.xyz + sides.z.high.xyz;
    }
    vec3 laplacian = around - float(2 * kAxes) * old;
    float dt = step_length();
    vec3 velocity = traced +
                    dt * (params.viscosity * laplacian + given_force(cell_index(cell), own)) -
                    step_stiffness() * gradient;
    for (uint i = 0u; i < params.emitters; ++i)
        velocity = towards(velocity, params.emitter_velocities[i].xyz,
                           emitted_share(params.emitter_places[i], params.emitter_velocities[i].w,
                                         vec3(cell) + 0.5, dt));
    velocity.x = unless_blocked(sides.x, 0, velocity.x);
    velocity.y = unless_blocked(sides.y, 1, velocity.y);
    velocity.z = kAxes == 3 ? unless_blocked(sides.z, 2, velocity.z) : 0.0;

    vec3 held = clamp(velocity, -params.fastest, params.fastest);
    if (own && held != velocity) atomicAdd(status.clamped_speeds, 1u);
    return held;
}

// In a solid, what fluid begins with where it moves off.
vec4 stored_solid(vec4 solid) {
    return vec4(solid.xyz, 0.0);
}

// The first axis beyond whose side a cell is decides, but that open sides leave it to the others.
uint first_beyond(uint a, uint b) {
    return a == kWithin || (a == kOpen && b != kWithin) ? b : a;
}
