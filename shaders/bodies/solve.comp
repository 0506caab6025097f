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
layout(constant_id = 2) const uint kStaged = 32u; // lanes that keep their constraint in shared memory

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

const uint kStagedQuads = 18u; // a lane: rows, impulses, masses of both bodies

shared vec4 staged[kStagedQuads * kStaged];
shared vec4 near[4u * kSlotCell]; // two quads a slot: velocities

bool is_near;   // this cell's velocities are in shared memory
bool is_staged; // this lane's constraint is

vec4 staged_at(uint k) {
    return staged[k * kStaged + gl_LocalInvocationID.x];
}
void put_staged(uint k, vec4 value) {
    staged[k * kStaged + gl_LocalInvocationID.x] = value;
}

// What solver.glsl needs.
#define BODIES_STAGED_ROWS
vec4 held[4];

vec4 row_at(uint k, uint s) {
    return is_staged ? staged_at(k) : rows.values[k * params.stride + s];
}
void hold_impulses(uint points, uint s) {
    if (is_staged) return;
    for (uint k = 0u; k < points; ++k)
        held[k] = impulses.values[k * params.stride + s];
}
vec4 impulse_at(uint k) {
    return is_staged ? staged_at(kRowQuads + k) : held[k];
}
void put_push(uint k, float push) {
    if (is_staged) {
        staged[(kRowQuads + k) * kStaged + gl_LocalInvocationID.x].x = push;
    } else {
        held[k].x = push;
    }
}
void put_friction(uint k, vec2 friction) {
    if (is_staged) {
        staged[(kRowQuads + k) * kStaged + gl_LocalInvocationID.x].yz = friction;
    } else {
        held[k].yz = friction;
    }
}

#include "solver.glsl"

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

// Reads what is needed of a constraint before it is its turn.
void stage(uint s, uvec4 head) {
    is_staged = is_near && gl_LocalInvocationID.x < kStaged && (head.w & kIsJoint) == 0u;
    if (!is_staged) return;
    vec4 row[kRowQuads];
    vec4 had[kMaxPoints];
    [[unroll]] for (uint k = 0u; k < kRowQuads; ++k)
        if (k < 2u || (k - 2u) % 4u < head.w) row[k] = rows.values[k * params.stride + s];
    [[unroll]] for (uint k = 0u; k < kMaxPoints; ++k)
        if (k < head.w) had[k] = impulses.values[k * params.stride + s];
    Mass ma = mass_at(head.x);
    Mass mb = mass_at(head.y);
    [[unroll]] for (uint k = 0u; k < kRowQuads; ++k)
        if (k < 2u || (k - 2u) % 4u < head.w) put_staged(k, row[k]);
    [[unroll]] for (uint k = 0u; k < kMaxPoints; ++k)
        if (k < head.w) put_staged(kRowQuads + k, had[k]);
    put_staged(14u, ma.first);
    put_staged(15u, ma.second);
    put_staged(16u, mb.first);
    put_staged(17u, mb.second);
}

void apply(uint s, uvec4 head, uvec2 at) {
    Both body;
    body.a = velocity_at(head.x, at.x);
    body.b = velocity_at(head.y, at.y);
    if (is_staged) {
        body.ma = Mass(staged_at(14u), staged_at(15u));
        body.mb = Mass(staged_at(16u), staged_at(17u));
    } else {
        body.ma = mass_at(head.x);
        body.mb = mass_at(head.y);
    }
    if ((head.w & kIsJoint) != 0u) {
        solve_joint(s, head.xy, body);
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

uint word_at(uint s) {
    return has_slots != 0u ? slots.values[s] : 0u;
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
    uvec4 head = uvec4(0u);
    uint word = 0u;
    if (first < range.y) {
        head = heads.values[first];
        word = word_at(first);
    }
    uvec4 first_head = head;
    uint first_word = word;
    if (first < range.y) stage(first, head);
    if (is_near) {
        for (uint s = first; s < range.y; s += gl_WorkGroupSize.x)
            fetch(s == first ? head : heads.values[s], s == first ? word : word_at(s));
        barrier();
    }
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = first;
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y && head.z == batch) {
                apply(s, head, slots_of(word));
                s += gl_WorkGroupSize.x;
                if (s >= range.y) break;
                head = heads.values[s];
                word = word_at(s);
                stage(s, head);
            }
            if (!is_near) groupMemoryBarrier(); // nobody else reads them before the next dispatch
            barrier();
        }
        if (s != first + gl_WorkGroupSize.x && first < range.y) { // it was not the only one
            head = first_head;
            word = first_word;
            stage(first, head);
        }
    }
    if (is_near)
        for (uint s = first; s < range.y; s += gl_WorkGroupSize.x)
            give_back(s == first ? first_head : heads.values[s], s == first ? first_word : word_at(s));
}
