#version 460
//! variants SOFT=0,1
// Solves the constraints of a set's cells: a group takes a cell and goes through its batches, so it needs
// nobody else. Cells of a set share no body that they move. Where the bodies of a cell have numbers, it keeps
// their velocities in shared memory, and reads constraints early.

#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 64, local_size_x_id = 0) in;

#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"
#include "sets.glsl"

layout(constant_id = 1) const uint has_numbers = 0u;

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer BodyCounts { uint values[]; } body_counts; // of a cell; 0: its bodies have no numbers
readonly buffer CellBodies { uint values[]; } cell_bodies; // from twice the cell's begin on
readonly buffer BodyNumbers { uint values[]; } body_numbers; // of a constraint's bodies in its cell
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
#if SOFT
readonly buffer Shifts { vec4 values[]; } shifts; // two quads a body: way and turn since the contacts were found
#endif
buffer Impulses { vec4 values[]; } impulses;
coherent buffer Motions { vec4 values[]; } motions;

uniform Params {
    uvec3 cells;
    uint set;
    uint stride;
    uint iterations;
    uint phase;
    float inverse_dt;
    float correction;
    float slop;
    float fastest_push;
    float threshold;
    float soft_rate;
    float soft_mass;
    float soft_impulse;
} params;

#include "solver.glsl"

const uint kFixed = 0x80000000u;
const uint kCellBodies = 256u; // that have numbers, at most: two for each of kFew constraints of batch_few.glsl

shared vec4 velocities[2u * kCellBodies];
bool is_local; // the velocities are in shared memory

Velocity velocity_of(uint body, uint number) {
    if (is_local) return Velocity(velocities[2u * number], velocities[2u * number + 1u]);
    return Velocity(motions.values[2u * body], motions.values[2u * body + 1u]);
}
void put_velocity(uint body, uint number, Velocity velocity) {
    if (is_local) {
        velocities[2u * number] = velocity.linear;
        velocities[2u * number + 1u] = velocity.angular;
    } else {
        motions.values[2u * body] = velocity.linear;
        motions.values[2u * body + 1u] = velocity.angular;
    }
}

void apply(uint s, uvec2 numbers, inout Held held) {
    uvec2 bodies = held.head.xy;
    Both body = Both(velocity_of(bodies.x, numbers.x), velocity_of(bodies.y, numbers.y), held.ma, held.mb);
    solve_constraint(s, held, body);
    // Others read those that do not move.
    if (held.ma.first.w > 0.0) put_velocity(bodies.x, numbers.x, body.a);
    if (held.mb.first.w > 0.0) put_velocity(bodies.y, numbers.y, body.b);
}

uvec2 numbers_at(uint s) {
    if (!is_local) return uvec2(0u);
    uint both = body_numbers.values[s];
    return uvec2(both & 0xffffu, both >> 16u);
}

void wait() {
    // Of velocities in memory: nobody else reads them before the next dispatch.
    if (!is_local) groupMemoryBarrier();
    memoryBarrierShared();
    barrier();
}

void main() {
    phase = params.phase;
    uvec3 cell = cell_of_group(group_index(), params.set, params.cells);
    if (any(greaterThanEqual(cell, params.cells))) return;
    uint index = cell_index(cell, params.cells);
    uvec2 range = ranges.values[index];
    uint batches = cell_batches.values[index];
    uint bodies = has_numbers != 0u ? body_counts.values[index] : 0u;
    if (range.x == range.y) return;
    is_local = bodies != 0u;
    uint lane = gl_LocalInvocationID.x;
    uint first = range.x + lane;
    // With numbers, an invocation holds its next constraint while it waits for the batch before. If there are
    // as many invocations as constraints, it holds the same one to the end.
    const bool kEarly = has_numbers != 0u;
    Held held;
    uvec2 numbers = uvec2(0u);
    if (kEarly && first < range.y) {
        held = held_at(first);
        numbers = numbers_at(first);
    }
    for (uint i = lane; i < bodies; i += gl_WorkGroupSize.x) {
        uint body = cell_bodies.values[2u * range.x + i] & ~kFixed;
        velocities[2u * i] = motions.values[2u * body];
        velocities[2u * i + 1u] = motions.values[2u * body + 1u];
    }
    wait();
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = first;
        if (kEarly && turn != 0u && range.y - range.x > gl_WorkGroupSize.x && s < range.y) {
            held = held_at(s);
            numbers = numbers_at(s);
        }
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y && (kEarly ? held.head.z : heads.values[s].z) == batch) {
                if (!kEarly) held = held_at(s);
                apply(s, numbers, held);
                s += gl_WorkGroupSize.x;
                if (kEarly && s < range.y) {
                    held = held_at(s);
                    numbers = numbers_at(s);
                }
            }
            wait();
        }
    }
    for (uint i = lane; i < bodies; i += gl_WorkGroupSize.x) {
        uint body = cell_bodies.values[2u * range.x + i];
        if ((body & kFixed) != 0u) continue;
        motions.values[2u * body] = velocities[2u * i];
        motions.values[2u * body + 1u] = velocities[2u * i + 1u];
    }
}
