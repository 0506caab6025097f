#version 460
//! variants SOFT=0,1
// Solves the constraints of a set's cells, or those of one batch of all: a group takes a cell and goes
// through its batches, so it needs nobody else. Cells of a set share no body that they move. Where the batches say
// which bodies their constraints share, velocities of cells that are not too full stay in shared memory meanwhile.

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

shared vec4 near[4u * kSlotCell]; // two quads a slot: velocities
bool is_near;                     // this cell's are there

Velocity velocity_at(uint body, uint slot) {
    if (is_near) return Velocity(near[2u * slot], near[2u * slot + 1u]);
    return Velocity(motions.values[2u * body], motions.values[2u * body + 1u]);
}
void put_velocity(uint body, uint slot, Velocity v) {
    if (is_near) {
        near[2u * slot] = v.linear;
        near[2u * slot + 1u] = v.angular;
    } else {
        motions.values[2u * body] = v.linear;
        motions.values[2u * body + 1u] = v.angular;
    }
}

// What is read of a constraint before it is its turn.
struct Work {
    uvec4 head;
    uint slots;
    Mass ma;
    Mass mb;
    OnePoint point; // of a contact that has no other
};

Work work_at(uint s) {
    Work work;
    work.head = heads.values[s];
    work.slots = has_slots != 0u ? slots.values[s] : 0u;
    work.point = one_point(s); // whatever it is, so that nothing waits for the head
    work.ma = mass_at(work.head.x);
    work.mb = mass_at(work.head.y);
    return work;
}

void apply(uint s, Work work) {
    uvec4 head = work.head;
    uvec2 at = slots_of(work.slots);
    Both body = Both(velocity_at(head.x, at.x), velocity_at(head.y, at.y), work.ma, work.mb);
    if ((head.w & kIsJoint) != 0u) {
        solve_joint(s, head.xy, body);
    } else if (head.w == 1u) {
        solve_one_point(s, head.xy, work.point, body);
    } else {
        solve_contact(s, head.xy, head.w, body);
    }
    // Others read those that do not move.
    if (body.ma.first.w > 0.0) put_velocity(head.x, at.x, body.a);
    if (body.mb.first.w > 0.0) put_velocity(head.y, at.y, body.b);
}

// Of the bodies whose slots are this constraint's: from the buffer to shared memory, or back.
void fetch(uvec4 head, uint word) {
    uvec2 at = slots_of(word);
    bvec2 owns = owns_slots(word);
    for (uint k = 0u; k < 2u; ++k) {
        if (owns.x) near[2u * at.x + k] = motions.values[2u * head.x + k];
        if (owns.y) near[2u * at.y + k] = motions.values[2u * head.y + k];
    }
}
void give_back(uvec4 head, uint word) {
    uvec2 at = slots_of(word);
    bvec2 owns = owns_slots(word);
    bvec2 moves = moves_bodies(word);
    owns = bvec2(owns.x && moves.x, owns.y && moves.y);
    for (uint k = 0u; k < 2u; ++k) {
        if (owns.x) motions.values[2u * head.x + k] = near[2u * at.x + k];
        if (owns.y) motions.values[2u * head.y + k] = near[2u * at.y + k];
    }
}

void main() {
    phase = params.phase;
    uvec3 cell = cell_of_group(group_index(), params.set, params.cells);
    if (any(greaterThanEqual(cell, params.cells))) return;
    uint index = cell_index(cell, params.cells);
    uvec2 range = ranges.values[index];
    uint batches = cell_batches.values[index];
    is_near = has_slots != 0u && range.y - range.x <= kSlotCell;
    uint first = range.x + gl_LocalInvocationID.x;
    Work work;
    if (first < range.y) work = work_at(first);
    uvec4 head = work.head;
    uint of_slots = work.slots;
    if (is_near) {
        if (first < range.y) fetch(head, of_slots);
        for (uint s = first + gl_WorkGroupSize.x; s < range.y; s += gl_WorkGroupSize.x)
            fetch(heads.values[s], slots.values[s]);
        barrier();
    }
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = first;
        if (turn > 0u && s < range.y) work = work_at(s);
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y && work.head.z == batch) {
                apply(s, work);
                s += gl_WorkGroupSize.x;
                if (s < range.y) work = work_at(s);
            }
            if (!is_near) groupMemoryBarrier(); // nobody else reads them before the next dispatch
            barrier();
        }
    }
    if (!is_near) return;
    if (first < range.y) give_back(head, of_slots);
    for (uint s = first + gl_WorkGroupSize.x; s < range.y; s += gl_WorkGroupSize.x)
        give_back(heads.values[s], slots.values[s]);
}
