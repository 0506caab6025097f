#version 460
//! variants SOFT=0,1
// Solves the constraints of a set's cells, or those of one batch of all: a group takes a cell and goes
// through its batches, so it needs nobody else. Cells of a set share no body that they move. Where the batches say
// which bodies their constraints share, velocities of cells that are not too full stay in shared memory meanwhile.

#extension GL_EXT_control_flow_attributes : enable

layout(local_size_x = 64, local_size_x_id = 0) in;

#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"
#include "sets.glsl"
#include "slots.glsl"

layout(constant_id = 1) const uint has_slots = 0u;

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer Slots { uint values[]; } slots; // see slots.glsl
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

#include "apply.glsl"

shared vec4 near[4u * kSlotCell]; // two quads a slot: velocities

Velocity near_velocity(uint slot) {
    return Velocity(near[2u * slot], near[2u * slot + 1u]);
}
void put_near_velocity(uint slot, Velocity v) {
    near[2u * slot] = v.linear;
    near[2u * slot + 1u] = v.angular;
}

// What can be read of a constraint before it is its turn.
struct Work {
    uvec4 head;
    uint slots;
    Mass ma;
    Mass mb;
    ContactRows rows;
};

Work work_at(uint s) {
    Work work;
    work.head = heads.values[s];
    work.slots = slots.values[s];
    work.ma = mass_at(work.head.x);
    work.mb = mass_at(work.head.y);
    if ((work.head.w & kIsJoint) == 0u) work.rows = contact_rows(s, work.head.w);
    return work;
}

void apply_near(uint s, Work work) {
    uvec2 at = slots_of(work.slots);
    Both body = Both(near_velocity(at.x), near_velocity(at.y), work.ma, work.mb);
    if ((work.head.w & kIsJoint) != 0u) {
        solve_joint(s, work.head.xy, body);
    } else {
        solve_contact(s, work.head.xy, work.head.w, work.rows, body);
    }
    if (body.ma.first.w > 0.0) put_near_velocity(at.x, body.a);
    if (body.mb.first.w > 0.0) put_near_velocity(at.y, body.b);
}

// Of the bodies whose slots are this constraint's.
void fetch(uvec4 head, uint of_slots) {
    uvec2 at = slots_of(of_slots);
    bvec2 owns = owns_slots(of_slots);
    if (owns.x) put_near_velocity(at.x, velocity_at(head.x));
    if (owns.y) put_near_velocity(at.y, velocity_at(head.y));
}
void give_back(uvec4 head, uint of_slots, bvec2 moves) {
    uvec2 at = slots_of(of_slots);
    bvec2 owns = owns_slots(of_slots);
    if (owns.x && moves.x) put_velocity(head.x, near_velocity(at.x));
    if (owns.y && moves.y) put_velocity(head.y, near_velocity(at.y));
}

void solve_near(uint begin, uint end, uint batches) {
    uint first = begin + gl_LocalInvocationID.x;
    Work work;
    if (first < end) work = work_at(first);
    uvec4 head = work.head;
    uint of_slots = work.slots;
    bvec2 moves = bvec2(work.ma.first.w > 0.0, work.mb.first.w > 0.0);
    if (first < end) fetch(head, of_slots);
    for (uint s = first + gl_WorkGroupSize.x; s < end; s += gl_WorkGroupSize.x)
        fetch(heads.values[s], slots.values[s]);
    barrier();
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = first;
        if (turn > 0u && s < end) work = work_at(s);
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < end && work.head.z == batch) {
                apply_near(s, work);
                s += gl_WorkGroupSize.x;
                if (s < end) work = work_at(s);
            }
            barrier();
        }
    }
    if (first < end) give_back(head, of_slots, moves);
    for (uint s = first + gl_WorkGroupSize.x; s < end; s += gl_WorkGroupSize.x) {
        uvec4 other = heads.values[s];
        give_back(other, slots.values[s], bvec2(mass_at(other.x).first.w > 0.0, mass_at(other.y).first.w > 0.0));
    }
}

void main() {
    phase = params.phase;
    uvec3 cell = cell_of_group(group_index(), params.set, params.cells);
    if (any(greaterThanEqual(cell, params.cells))) return;
    uint index = cell_index(cell, params.cells);
    uvec2 range = ranges.values[index];
    uint batches = cell_batches.values[index];
    if (has_slots != 0u && range.y - range.x <= kSlotCell) {
        solve_near(range.x, range.y, batches);
        return;
    }
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = range.x + gl_LocalInvocationID.x;
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y) {
                uvec4 head = heads.values[s];
                if (head.z != batch) break;
                apply(s, head);
                s += gl_WorkGroupSize.x;
            }
            groupMemoryBarrier(); // nobody else reads them before the next dispatch
            barrier();
        }
    }
}
