#version 460
#extension GL_KHR_memory_scope_semantics : require
//! variants SOFT=0,1
// Solves the constraints of all sets' cells several times, in one dispatch. Groups take cells in the order
// of iterations and sets. One waits for what its neighbours have to do before it, instead of all.

#if SOFT
#pragma tuff_exact // as in soft_together.comp
#endif

layout(local_size_x = 64, local_size_x_id = 0) in;
// What there is none of takes no registers, so that more cells are under way at a time.
layout(constant_id = 1) const uint kHasJoints = 1u;
layout(constant_id = 2) const uint kPointRoom = 4u; // of a contact

#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"
#include "sets.glsl"

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
#if SOFT
readonly buffer Shifts { vec4 values[]; } shifts; // two quads a body: way and turn since the contacts were found
#endif
coherent buffer Impulses { vec4 values[]; } impulses;
coherent buffer Motions { vec4 values[]; } motions;
// The next item's number; then of each cell, how often it has been solved.
coherent buffer Progress { uint words[]; } progress;

uniform Params {
    uvec3 cells;
    uint sets;
    uint set_cells;
    uint stride;
    uint iterations;
    uint first_ticket;
    uint before; // how often cells were solved before this
    uint warms;  // iterations that are warm starts
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
#include "contact_points.glsl"

const uint kNoTicket = 0xffffffffu;
shared uint shared_ticket;

// Numbers of items are given out in their order, so that whoever holds an item that another waits for has begun,
// and the lowest that is not done waits for nobody. Taken before the item that is held is done, which comes first.
uint take_ticket() {
    return atomicAdd(progress.words[0], 1u) - params.first_ticket;
}

// What invocations of the group have written, or have acquired, all of them have. One release at the scope of the
// device is enough after that, and the one of an acquired word before it.
void share_in_group() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

// What a lane waits for: how often the cell `index` has to have been solved.
struct Neighbour {
    uint index;
    uint least; // what it had before this dispatch, if there is nothing to wait for
};

// Of the cells about this one, that of this lane: it has to have been solved as often as it comes before this one in
// the order of iterations and sets. Cells farther away share no body with it.
Neighbour neighbour_of(uvec3 cell, uint set, uint iteration) {
    uint lane = gl_LocalInvocationID.x;
    Neighbour beside = Neighbour(0u, params.before);
    ivec3 at = ivec3(cell) + ivec3(lane % 3u, lane / 9u, lane / 3u % 3u) - 1;
    if (lane >= 27u || any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, ivec3(params.cells)))) return beside;
    beside.index = cell_index(uvec3(at), params.cells);
    if (cell_batches.values[beside.index] != 0u) // nobody publishes empty ones
        beside.least += iteration + (set_of(uvec3(at), params.cells) < set ? 1u : 0u);
    return beside;
}

// Looks without acquiring: each time it would drop what the processor has in its cache. By read-modify-write operations,
// which are faster than loads of words that others are about to write, as in scans.
void wait_for(Neighbour beside) {
    if (beside.least > params.before) {
        bool waits = true;
        while (waits)
            waits = atomicOr(progress.words[1u + beside.index], 0u) < beside.least;
        memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    }
    share_in_group();
}

void publish(uint index, uint iteration) {
    share_in_group();
    if (gl_LocalInvocationID.x == 0u)
        atomicStore(progress.words[1u + index], params.before + iteration + 1u, gl_ScopeDevice,
                    gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}

// What this lane solves next.
uvec4 head;
Contact contact;
Mass mass_a;
Mass mass_b;

Point point_at(uint k, uint s) {
    return Point(row_at(2u + k, s), row_at(6u + k, s), vec4(0.0));
}

bool is_joint() {
    return kHasJoints != 0u && (head.w & kIsJoint) != 0u;
}

// What does not depend on other cells.
void fetch_rows(uint s) {
    head = heads.values[s];
    contact.normal = row_at(0u, s);
    contact.apart = row_at(1u, s);
    contact.first = point_at(0u, s);
    mass_a = mass_at(head.x);
    mass_b = mass_at(head.y);
    if (is_joint() || !has_second(head.w)) return;
    contact.second = point_at(1u, s);
    if (has_third(head.w)) contact.third = point_at(2u, s);
    if (has_fourth(head.w)) contact.fourth = point_at(3u, s);
}

void fetch_impulses(uint s) {
    if (is_joint()) return;
    contact.bend = bend_of(contact.normal.xyz);
    contact.first.had = impulses.values[s];
    if (has_second(head.w)) contact.second.had = impulses.values[params.stride + s];
    if (has_third(head.w)) contact.third.had = impulses.values[2u * params.stride + s];
    if (has_fourth(head.w)) contact.fourth.had = impulses.values[3u * params.stride + s];
}

void put_impulses(uint s) {
    if (is_joint() || phase == kWarm) return;
    impulses.values[s] = contact.first.had;
    if (has_second(head.w)) impulses.values[params.stride + s] = contact.second.had;
    if (has_third(head.w)) impulses.values[2u * params.stride + s] = contact.third.had;
    if (has_fourth(head.w)) impulses.values[3u * params.stride + s] = contact.fourth.had;
}

Velocity velocity_of(uint body) {
    return Velocity(motions.values[2u * body], motions.values[2u * body + 1u]);
}
void put_velocity(uint body, Velocity v) {
    motions.values[2u * body] = v.linear;
    motions.values[2u * body + 1u] = v.angular;
}

// The velocities of a cell's bodies, where each lane has at most one constraint, and bodies are fewer than lanes. Large
// groups would take more shared memory than some devices have. Cells are under way at a time as far as there is
// shared memory, so these have no more of it than they mostly need, and take it over from the search for them.
const bool kShares = gl_WorkGroupSize.x <= 128u;
const uint kSlots = kShares ? gl_WorkGroupSize.x - 1u : 1u;
shared uvec4 quads[2u * kSlots];
shared uint slot_count;

Velocity slot_at(uint k) {
    return Velocity(uintBitsToFloat(quads[k]), uintBitsToFloat(quads[kSlots + k]));
}
void put_slot(uint k, Velocity v) {
    quads[k] = floatBitsToUint(v.linear);
    quads[kSlots + k] = floatBitsToUint(v.angular);
}

// Only what pushes change: the rest would take registers from one to the other.
void change_slot(uint k, Velocity v) {
    uvec3 linear = floatBitsToUint(v.linear.xyz);
    uvec3 angular = floatBitsToUint(v.angular.xyz);
    quads[k].x = linear.x;
    quads[k].y = linear.y;
    quads[k].z = linear.z;
    quads[kSlots + k].x = angular.x;
    quads[kSlots + k].y = angular.y;
    quads[kSlots + k].z = angular.z;
}

// Where the bodies of this lane's constraint are among those, and whether it is the first that has them.
struct Slots {
    uvec2 at;
    bvec2 first;
};

// Gives each body the next slot. Lanes share quads by their names and slots: no more lanes than quads.
Slots find_slots(uint count) {
    uint lane = gl_LocalInvocationID.x;
    uvec2 own = uvec2(2u * lane, 2u * lane + 1u);
    uvec2 found = own;
    if (lane == 0u) slot_count = 0u;
    if (lane < count) quads[lane].xy = head.xy;
    barrier();
    if (lane < count)
        for (uint j = 0u; j < lane; ++j) {
            uvec2 names = quads[j].xy;
            found.x = min(found.x, names.x == head.x ? 2u * j : names.y == head.x ? 2u * j + 1u : own.x);
            found.y = min(found.y, names.x == head.y ? 2u * j : names.y == head.y ? 2u * j + 1u : own.y);
        }
    Slots slots = Slots(uvec2(0u), equal(found, own));
    if (lane < count) {
        if (slots.first.x) quads[lane].z = atomicAdd(slot_count, 1u);
        if (slots.first.y) quads[lane].w = atomicAdd(slot_count, 1u);
    }
    barrier();
    if (lane < count)
        slots.at = uvec2(quads[found.x / 2u][2u + (found.x & 1u)], quads[found.y / 2u][2u + (found.y & 1u)]);
    return slots;
}

void solve_cell(uvec2 range, uint batches, Neighbour beside) {
    uint lane = gl_LocalInvocationID.x;
    uint s = range.x + lane;
    uint count = range.y - range.x;
    bool shares = kShares && count <= gl_WorkGroupSize.x;
    if (s < range.y) fetch_rows(s);
    Slots slots = Slots(uvec2(0u), bvec2(false));
    if (shares) {
        slots = find_slots(count);
        shares = slot_count <= kSlots;
    }
    wait_for(beside);
    if (s < range.y) {
        fetch_impulses(s);
        if (shares) {
            if (slots.first.x) put_slot(slots.at.x, velocity_of(head.x));
            if (slots.first.y) put_slot(slots.at.y, velocity_of(head.y));
        }
    }
    if (shares) barrier();
    for (uint batch = 0u; batch < batches; ++batch) {
        while (s < range.y && head.z == batch) {
            Both body;
            body.ma = mass_a;
            body.mb = mass_b;
            if (shares) {
                body.a = slot_at(slots.at.x);
                body.b = slot_at(slots.at.y);
            } else {
                body.a = velocity_of(head.x);
                body.b = velocity_of(head.y);
            }
            if (is_joint())
                solve_joint(s, head.xy, body);
            else
                solve_points(head.w, head.xy, contact, body);
            put_impulses(s);
            // Others read those that do not move.
            if (shares) {
                if (mass_a.first.w > 0.0) change_slot(slots.at.x, body.a);
                if (mass_b.first.w > 0.0) change_slot(slots.at.y, body.b);
            } else {
                if (mass_a.first.w > 0.0) put_velocity(head.x, body.a);
                if (mass_b.first.w > 0.0) put_velocity(head.y, body.b);
            }
            s += gl_WorkGroupSize.x;
            if (s < range.y) {
                fetch_rows(s);
                fetch_impulses(s);
            }
        }
        if (!shares) groupMemoryBarrier();
        barrier();
    }
    if (shares && lane < count) {
        if (slots.first.x && mass_a.first.w > 0.0) put_velocity(head.x, slot_at(slots.at.x));
        if (slots.first.y && mass_b.first.w > 0.0) put_velocity(head.y, slot_at(slots.at.y));
    }
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint all_items = params.iterations * params.sets * params.set_cells;
    bool takes_one = gl_NumWorkGroups.x >= all_items; // there is a group for each
    uint ticket = 0u;
    if (lane == 0u) ticket = take_ticket();
    while (true) {
        if (lane == 0u) shared_ticket = ticket;
        barrier();
        uint item = shared_ticket;
        barrier();
        if (item >= all_items) return;
        if (lane == 0u) ticket = takes_one ? kNoTicket : take_ticket();
        uint turn = item / params.set_cells;
        uint set = turn % params.sets;
        uint iteration = turn / params.sets;
        phase = iteration < params.warms ? kWarm : params.phase;
        uvec3 cell = cell_of_group(item % params.set_cells, set, params.cells);
        uint index = cell_index(cell, params.cells);
        // Together, as each comes from afar.
        uint batches = cell_batches.values[index];
        uvec2 range = ranges.values[index];
        Neighbour beside = neighbour_of(cell, set, iteration);
        if (batches == 0u) continue;
        solve_cell(range, batches, beside);
        publish(index, iteration);
    }
}
