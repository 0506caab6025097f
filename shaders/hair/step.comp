#version 460
//! variants TWIST=0,1
// Whole steps of whole strands, which stay in shared memory for all sub-steps. What vertices and
// edges do for themselves all lanes share; what goes along a strand its own lane does. `kPhases` says
// what a node does: all of it, or a kernel of the chapter's alone. With TWIST edges have directions of
// their own, the material frames of a Cosserat rod.

layout(local_size_x = 32, local_size_x_id = 0) in; // lanes, at least one a strand
layout(constant_id = 1) const uint kVertices = 16u; // of a strand
layout(constant_id = 7) const uint kStrands = 32u;  // of a group
layout(constant_id = 8) const uint kLanes = 32u;    // of a group: local_size_x, a multiple of kStrands
layout(constant_id = 9) const uint kNumbers = 0u;   // that the solver keeps for each edge

#include "clock.glsl"
#include "colliders.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Goals { vec4 values[]; } goals; // places in the groom, woven
readonly buffer Local { vec4 values[]; } local; // edge to a vertex in the frame before it; length of
                                                // the edge from it; woven
readonly buffer Frames { vec4 values[]; } frames; // of each strand's first edge
readonly buffer Groups { uint values[]; } groups;
readonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Moved { vec4 values[]; } moved;
// Places before the step; while a group works, those before its sub-step in its own order: see
// `former_index`.
coherent buffer Former { vec4 values[]; } former;
writeonly buffer Tangents { vec4 values[]; } tangents;
buffer Status { uint resets; uint adhoc; uint bad_distances; } status;
buffer Probe { uint values[]; } probe;
layout(constant_id = 2) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots;
#if TWIST
buffer Turns { vec4 values[]; } turns; // of each edge
buffer Pulls { vec4 values[]; } pulls; // of the sub-step, by edges that give way
#endif

const uint kIntegrate = 1u;
const uint kLocalShape = 2u;
const uint kWind = 4u;
const uint kLengths = 8u;
const uint kCollide = 16u;
const uint kTangents = 32u;
const uint kMeasure = 64u; // fills the probe
layout(constant_id = 3) const uint kPhases = 63u;

const uint kBatches = 0u;
const uint kFollow = 1u;
const uint kAdaptive = 2u; // batches, but follows the leader where the probe asks for it
const uint kDirect = 3u;
const uint kSoft = 4u;
layout(constant_id = 4) const uint kSolver = 0u;
layout(constant_id = 5) const uint kWindFirst = 1u;
layout(constant_id = 6) const uint kClosing = 0u; // 1: follows the leader after bodies

uniform Params {
    uint count;
    uint step;
    uint substeps;
    vec2 part; // of the step: where the sub-steps begin and end
    vec3 fall; // gravity times the square of a sub-step
    vec4 groups[8]; // keep, local stiffness, global stiffness, range
    uint fades;
    uint local_iterations;
    uint length_iterations;
    float compliance; // over the square of a sub-step
    float bend_compliance;
    float correction; // of the leader's followers
    float stretched;  // what the probe allows
    vec4 winds[4];
    uint by_length;
    uint capsule_count;
    uint solid_count;
    uint attached; // bits: capsules, the field
    float seconds; // of a sub-step
    float dt;      // of the step
    float margin;
    float friction;
    vec3 field_low;
    vec3 field_high;
    float field_scale;
    vec4 field_turn; // of its box, a quaternion
    vec3 field_shift;
} params;

uint group_begin;   // the first strand of the group
uint group_strands; // how many it has

#include "solvers.glsl"
#if TWIST
#include "twist.glsl"
#endif

shared uint kinds[kStrands];  // group of each strand, and what else there is to know
shared uint broken[kStrands]; // 1: not finite
shared uint most_stretched;
const uint kAgain = 0x40000000u; // begins again in this step
const uint kNowhere = 0x20000000u; // there is no such strand, or the step does not run

void load(Part part, bool runs) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kStrands) {
        broken[lane] = 0u;
        bool there = lane < group_strands && runs;
        kinds[lane] = there ? groups.values[group_begin + lane] : kNowhere;
        if (kVertices < 3u) kinds[lane] |= kRigid;
    }
    if (lane == 0u) most_stretched = 0u;
    barrier();
    uint first = group_begin * kVertices;
    uint count = group_strands * kVertices;
    for (uint i = lane; i < count; i += kLanes) {
        vec3 before = former.values[first + i].xyz;
        set_place(i / kVertices, i % kVertices, before);
        if (!is_finite(before)) broken[i / kVertices] = 1u;
    }
    barrier();
    if (part.column < group_strands)
        for (uint v = part.begin; v < part.end; ++v)
            former.values[former_index(part.column, v)] = vec4(place_of(part.column, v), 0.0);
    barrier();
    for (uint i = lane; i < count; i += kLanes) {
        vec3 x = positions.values[first + i].xyz;
        set_place(i / kVertices, i % kVertices, x);
        if (!is_finite(x)) broken[i / kVertices] = 1u;
    }
    meet_lanes();
    if (lane < kStrands && broken[lane] != 0u && (kinds[lane] & kNowhere) == 0u &&
        (kPhases & kIntegrate) != 0u) {
        kinds[lane] |= kAgain;
        atomicAdd(status.resets, 1u);
    }
    barrier();
}

void store(Part part) {
    uint first = group_begin * kVertices;
    uint count = group_strands * kVertices;
    for (uint i = gl_LocalInvocationIndex; i < count; i += kLanes) {
        uint column = i / kVertices;
        uint vertex = i % kVertices;
        vec3 x = place_of(column, vertex);
        moved.values[first + i] = vec4(x, weight_of(vertex));
        if ((kPhases & kTangents) != 0u) {
            uint low = min(vertex, kVertices - 2u);
            vec3 along = place_of(column, low + 1u) - place_of(column, low);
            float size = length(along);
            tangents.values[first + i] = vec4(size > kShortest ? along / size : vec3(0.0, -1.0, 0.0), 0.0);
        }
    }
    // The places before, from the order of the group's work to that of strands.
    barrier();
    if (part.column < group_strands)
        for (uint v = part.begin; v < part.end; ++v)
            set_place(part.column, v, former.values[former_index(part.column, v)].xyz);
    meet_lanes();
    for (uint i = gl_LocalInvocationIndex; i < count; i += kLanes)
        former.values[first + i] = vec4(place_of(i / kVertices, i % kVertices), 0.0);
}

Place root_of(uint strand, Place head) {
    if (has_roots == 0u) return head;
    return joined_places(head, Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz));
}

vec4 group_of(uint kind) {
    return params.groups[min(kind & 0xffffu, kGroups - 1u)];
}

// Strands that are held follow the head alone: in a first sub-step also those that begin again.
bool is_held(uint kind, bool first) {
    return (kind & kRigid) != 0u || (first && (kind & kAgain) != 0u);
}

#if TWIST
// The frames at rest, where the head is; or that of the edge at the root alone.
void place_frames(uint strand, Place head, bool all_edges) {
    vec4 frame = joined_turns(head.turn, frames.values[strand]);
    turns.values[strand * kVertices] = frame;
    for (uint v = 1u; all_edges && v + 1u < kVertices; ++v) {
        vec3 along = local.values[woven(strand, v + 1u, kVertices)].xyz;
        float size = length(along);
        if (size > 0.0) frame = normalize(joined_turns(frame, turn_from_x(along / size)));
        turns.values[strand * kVertices + v] = frame;
    }
}
#endif

// Kernel A.
void integrate(Part part, Place head, bool first) {
    uint kind = kinds[part.column];
    if ((kind & kNowhere) != 0u) return;
    uint strand = group_begin + part.column;
    vec4 group = group_of(kind);
    bool held = is_held(kind, first);
    Place root = root_of(strand, head);
    for (uint v = part.begin; v < part.end; ++v) {
        bool placed_by_head = v < kPinned || held;
        float pull = global_pull(group, v, kVertices, params.fades != 0u);
        vec3 goal = vec3(0.0);
        if (placed_by_head || pull > 0.0)
            goal = placed(root, goals.values[woven(strand, v, kVertices)].xyz);
        vec3 x = place_of(part.column, v);
        vec3 before = x;
        uint at = former_index(part.column, v);
        if (placed_by_head) {
            x = goal;
            before = goal;
        } else {
            x = integrated(x, former.values[at].xyz, group.x, params.fall);
            if (pull > 0.0) x += (goal - x) * pull;
        }
        set_place(part.column, v, x);
        former.values[at] = vec4(before, 0.0);
    }
}

// Kernel B, by a strand's lane: a vertex is drawn to where the frame before it would have it.
void keep_local_shape(uint column, Place head, float stiffness) {
    uint strand = group_begin + column;
    vec4 frame = joined_turns(head.turn, frames.values[strand]);
    vec3 x = place_of(column, 1u);
    vec3 next_edge = local.values[woven(strand, 2u, kVertices)].xyz; // read before it is needed
    for (uint v = 1u; v + 1u < kVertices; ++v) {
        vec3 edge = next_edge;
        next_edge = local.values[woven(strand, min(v + 2u, kVertices - 1u), kVertices)].xyz;
        vec3 next = place_of(column, v + 1u);
        vec3 off = 0.5 * stiffness * (x + turned(frame, edge) - next);
        if (v >= kPinned) {
            x -= off;
            set_place(column, v, x);
        }
        next += off;
        set_place(column, v + 1u, next);
        vec3 along = turned(inverse_turn(frame), next - x);
        float size = length(along);
        if (size > kShortest) frame = normalize(joined_turns(frame, turn_from_x(along / size)));
        x = next;
    }
}

void blow(Part part, bool moves) {
    vec3 beyond = vec3(0.0); // which another lane moves
    if (part.end < kVertices) beyond = place_of(part.column, part.end);
    barrier();
    vec3 wind = wind_of_strand(params.winds, group_begin + part.column);
    for (uint v = max(part.begin, kPinned); moves && v < part.end && v + 1u < kVertices; ++v) {
        vec3 x = place_of(part.column, v);
        vec3 next = beyond;
        if (v + 1u < part.end) next = place_of(part.column, v + 1u);
        set_place(part.column, v, x + wind_push(x - next, wind, params.by_length != 0u));
    }
    barrier();
}

void solve_lengths(Part part, bool moves) {
    uint lane = gl_LocalInvocationIndex;
#if TWIST
    if (lane < kStrands && moves) solve_rod(lane, params.length_iterations);
#else
    bool follows = kSolver == kFollow;
    if (kSolver == kAdaptive)
        follows = uintBitsToFloat(probe.values[params.step]) > params.stretched;
    if (follows) {
        if (lane < kStrands && moves) follow_the_leader(lane, params.correction);
    } else if (kSolver == kDirect) {
        solve_directly(part, moves, params.length_iterations, params.compliance);
    } else {
        solve_by_batches(part, moves, params.length_iterations, kSolver == kSoft ? params.compliance : 0.0);
    }
#endif
    meet_lanes();
}

// Shape, wind and lengths.
void shape_strands(Part part, bool moves, Place head, bool first) {
    uint lane = gl_LocalInvocationIndex;
    bool windy = (kPhases & kWind) != 0u && (params.winds[0] != vec4(0.0) || params.winds[2] != vec4(0.0));
    uint kind = kinds[part.column];
    if (lane < kStrands && (kind & kNowhere) == 0u) {
        Place root = root_of(group_begin + lane, head);
#if TWIST
        if ((kPhases & kIntegrate) != 0u) place_frames(group_begin + lane, root, is_held(kind, first));
#endif
        vec4 group = group_of(kind);
        if (moves && (kPhases & kLocalShape) != 0u && group.y > 0.0)
            for (uint i = 0u; i < params.local_iterations; ++i) keep_local_shape(lane, root, group.y);
    }
    barrier();
    if (windy && kWindFirst != 0u) blow(part, moves);
    if ((kPhases & kMeasure) != 0u && lane < kStrands && moves && rest_length(lane, 1u) > 0.0)
        atomicMax(most_stretched,
                  floatBitsToUint(distance(place_of(lane, 1u), place_of(lane, 2u)) / rest_length(lane, 1u)));
    if ((kPhases & kMeasure) != 0u) barrier();
    if ((kPhases & kLengths) != 0u) solve_lengths(part, moves);
    if (windy && kWindFirst == 0u) blow(part, moves);
}

// Kernel D. The bodies move with the head, or by themselves.
void leave_bodies(Part part, Place head_before, Place head, Bodies all) {
    if (max(part.begin, kPinned) >= part.end) return;
    vec3 low = vec3(1e30);
    vec3 high = vec3(-1e30);
    for (uint v = max(part.begin, kPinned); v < part.end; ++v) {
        vec3 x = place_of(part.column, v);
        low = min(low, x);
        high = max(high, x);
    }
    Nearby nearby = near_box(low, high, all);
    if (nearby.which == 0u && has_field == 0u) return;
    for (uint v = max(part.begin, kPinned); v < part.end; ++v) {
        vec3 entered = place_of(part.column, v);
        uint touched = kTouchedNothing;
        met_bad_distance = false;
        vec3 x = out_of_bodies(entered, nearby, all, touched);
        if (has_field != 0u && met_bad_distance) atomicAdd(status.bad_distances, 1u);
        if (x == entered) continue;
        uint at = former_index(part.column, v);
        vec3 before = former.values[at].xyz;
        vec3 carried = carried_by(touched, before, head_before, head, params.attached, all, params.seconds);
        Contact met = after_contact(x, entered, before, carried, params.friction, nearby, all);
        former.values[at] = vec4(met.before, 0.0);
        set_place(part.column, v, met.x);
    }
}

Place head_in_step(float share) {
    return place_between(head_at(params.step), head_at(params.step + 1u),
                         share >= 1.0 ? params.part.y : mix(params.part.x, params.part.y, share));
}

// `left`: sub-steps of this node that follow.
Bodies bodies_of(Place head, uint left) {
    Field where = placed_field(params.field_low, params.field_high, params.field_scale,
                               Place(params.field_turn, params.field_shift),
                               (params.attached & 2u) != 0u, head);
    float earlier = float(left) * params.seconds + (1.0 - params.part.y) * params.dt +
                    float(clock_steps() - 1u - params.step) * params.dt;
    return Bodies(params.capsule_count, params.solid_count, earlier, where, params.margin);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    group_begin = group_index() * kStrands;
    if (group_begin >= params.count) return; // all of the group
    group_strands = min(params.count - group_begin, kStrands);
    Part part = own_part();
    bool runs = params.step < clock_steps();
    load(part, runs);
    bool has_bodies = params.capsule_count > 0u || has_field != 0u || has_solids != 0u;
    for (uint i = 0u; i < params.substeps && runs; ++i) {
        bool first = i == 0u;
        Place head_before = head_in_step(float(i) / float(params.substeps));
        Place head = head_in_step(float(i + 1u) / float(params.substeps));
        uint kind = kinds[part.column];
        bool moves = (kind & kNowhere) == 0u && !is_held(kind, first);
        bool collides = (kPhases & kCollide) != 0u && has_bodies;
        Bodies all = bodies_of(head, params.substeps - 1u - i);
        if ((kPhases & kIntegrate) != 0u) integrate(part, head, first);
        if (collides) place_bodies(lane, kLanes, all, params.attached, head);
        barrier();
        shape_strands(part, moves, head, first);
        if (collides && moves) leave_bodies(part, head_before, head, all);
        meet_lanes();
        if ((kPhases & kCollide) == 0u || kClosing == 0u) continue;
        if (lane < kStrands && moves) follow_the_leader(lane, params.correction);
        meet_lanes();
    }
    store(part);
    if ((kPhases & kMeasure) != 0u && lane == 0u && runs)
        atomicMax(probe.values[params.step + 1u], most_stretched);
    if (kSolver == kAdaptive && lane == 0u && group_begin == 0u && runs &&
        uintBitsToFloat(probe.values[params.step]) > params.stretched)
        atomicAdd(status.adhoc, 1u);
}
