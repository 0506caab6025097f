#version 460
//! variants TWIST=0,1
// Whole steps of whole strands, which stay in shared memory for all sub-steps. What vertices do for
// themselves all lanes share; what goes along a strand its own lane does. `kPhases` says what a node does: all of it, or a kernel of the chapter's alone. With
// TWIST edges have directions of their own, the material frames of a Cosserat rod.

layout(local_size_x = 32, local_size_x_id = 0) in; // lanes, at least one a strand
layout(constant_id = 1) const uint kVertices = 16u; // of a strand
layout(constant_id = 7) const uint kStrands = 32u;  // of a group

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
readonly buffer Previous { vec4 values[]; } previous;
writeonly buffer Moved { vec4 values[]; } moved;
writeonly buffer Former { vec4 values[]; } former;
writeonly buffer Tangents { vec4 values[]; } tangents;
buffer Status { uint resets; uint adhoc; uint not_used; } status;
buffer Probe { uint values[]; } probe;
layout(constant_id = 2) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots;
#if TWIST
buffer Turns { vec4 values[]; } turns; // of each edge
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
    uint attached;
    float margin;
    float friction;
    vec3 field_low;
    vec3 field_high;
    float field_scale;
} params;

#include "solvers.glsl"
#if TWIST
#include "twist.glsl"
#endif

shared uint kinds[kStrands];  // group of each strand, and what else there is to know
shared uint broken[kStrands]; // 1: not finite
shared uint most_stretched;
const uint kAgain = 0x40000000u; // begins again in this step
const uint kNowhere = 0x20000000u; // there is no such strand, or the step does not run

void load(uint first_strand, bool runs) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kStrands) {
        broken[lane] = 0u;
        uint strand = first_strand + lane;
        bool there = strand < params.count && runs;
        kinds[lane] = there ? groups.values[strand] : kNowhere;
        if (kVertices < 3u) kinds[lane] |= kRigid;
    }
    if (lane == 0u) most_stretched = 0u;
    barrier();
    uint begin = first_strand * kVertices;
    uint end = min(params.count - first_strand, kStrands) * kVertices;
    for (uint i = lane; i < end; i += gl_WorkGroupSize.x) {
        vec3 x = positions.values[begin + i].xyz;
        vec3 before = previous.values[begin + i].xyz;
        uint strand = i / kVertices;
        uint at = place_index(strand, i % kVertices);
        set_place_at(at, x);
        set_former_at(at, before);
        if (!is_finite(x) || !is_finite(before)) broken[strand] = 1u;
    }
    barrier();
    if (lane < kStrands && broken[lane] != 0u && (kinds[lane] & kNowhere) == 0u &&
        (kPhases & kIntegrate) != 0u) {
        kinds[lane] |= kAgain;
        atomicAdd(status.resets, 1u);
    }
    barrier();
}

void store(uint first_strand) {
    barrier();
    uint begin = first_strand * kVertices;
    uint end = min(params.count - first_strand, kStrands) * kVertices;
    for (uint i = gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x) {
        uint vertex = i % kVertices;
        uint at = place_index(i / kVertices, vertex);
        moved.values[begin + i] = vec4(place_at(at), weight_of(vertex));
        former.values[begin + i] = vec4(former_at(at), 0.0);
        if ((kPhases & kTangents) != 0u) {
            uint low = place_index(i / kVertices, min(vertex, kVertices - 2u));
            vec3 along = place_at(low + 3u * kColumns) - place_at(low);
            float size = length(along);
            tangents.values[begin + i] = vec4(size > kShortest ? along / size : vec3(0.0, -1.0, 0.0), 0.0);
        }
    }
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

// Kernel A, by all lanes.
void integrate(uint first_strand, Place head, bool first) {
    for (uint i = gl_LocalInvocationIndex; i < kStrands * kVertices; i += gl_WorkGroupSize.x) {
        uint column = i % kStrands;
        uint v = i / kStrands;
        uint kind = kinds[column];
        if ((kind & kNowhere) != 0u) continue;
        uint strand = first_strand + column;
        vec4 group = group_of(kind);
        uint at = place_index(column, v);
        bool placed_by_head = v < kPinned || is_held(kind, first);
        float pull = global_pull(group, v, kVertices, params.fades != 0u);
        vec3 goal = vec3(0.0);
        if (placed_by_head || pull > 0.0)
            goal = placed(root_of(strand, head), goals.values[woven(strand, v, kVertices)].xyz);
        vec3 x = place_at(at);
        vec3 before = x;
        if (placed_by_head) {
            x = goal;
            before = goal;
        } else {
            x = integrated(x, former_at(at), group.x, params.fall);
            if (pull > 0.0) x += (goal - x) * pull;
        }
        set_place_at(at, x);
        set_former_at(at, before);
    }
}

// Kernel B: a vertex is drawn to where the frame before it would have it.
void keep_local_shape(uint strand, Place head, float stiffness) {
    vec4 frame = joined_turns(head.turn, frames.values[strand]);
    vec3 x = place_of(1u);
    vec3 next_edge = local.values[woven(strand, 2u, kVertices)].xyz; // read before it is needed
    for (uint v = 1u; v + 1u < kVertices; ++v) {
        vec3 edge = next_edge;
        next_edge = local.values[woven(strand, min(v + 2u, kVertices - 1u), kVertices)].xyz;
        vec3 next = place_of(v + 1u);
        vec3 off = 0.5 * stiffness * (x + turned(frame, edge) - next);
        if (v >= kPinned) {
            x -= off;
            set_place(v, x);
        }
        next += off;
        set_place(v + 1u, next);
        vec3 along = turned(inverse_turn(frame), next - x);
        float size = length(along);
        if (size > kShortest) frame = normalize(joined_turns(frame, turn_from_x(along / size)));
        x = next;
    }
}

void blow(uint strand) {
    vec3 wind = wind_of_strand(params.winds, strand);
    for (uint v = kPinned; v + 1u < kVertices; ++v) {
        vec3 x = place_of(v);
        set_place(v, x + wind_push(x - place_of(v + 1u), wind, params.by_length != 0u));
    }
}

void solve_lengths(uint strand) {
#if TWIST
    solve_rod(strand, params.length_iterations);
#else
    bool follows = kSolver == kFollow;
    if (kSolver == kAdaptive)
        follows = uintBitsToFloat(probe.values[params.step]) > params.stretched;
    if (follows) follow_the_leader(strand, params.correction);
    else if (kSolver == kDirect)
        solve_directly(strand, params.length_iterations, params.compliance);
    else solve_by_batches(strand, params.length_iterations, kSolver == kSoft ? params.compliance : 0.0);
#endif
}

// Shape, wind and lengths of the lane's strand.
void shape_strand(uint strand, Place head, uint kind, bool first) {
#if TWIST
    if ((kPhases & kIntegrate) != 0u) place_frames(strand, head, is_held(kind, first));
#endif
    if (is_held(kind, first)) return;
    vec4 group = group_of(kind);
    bool windy = params.winds[0] != vec4(0.0) || params.winds[2] != vec4(0.0);
    if ((kPhases & kLocalShape) != 0u && group.y > 0.0)
        for (uint i = 0u; i < params.local_iterations; ++i) keep_local_shape(strand, head, group.y);
    if ((kPhases & kWind) != 0u && kWindFirst != 0u && windy) blow(strand);
    if ((kPhases & kMeasure) != 0u && rest_length(strand, 1u) > 0.0)
        atomicMax(most_stretched,
                  floatBitsToUint(distance(place_of(1u), place_of(2u)) / rest_length(strand, 1u)));
    if ((kPhases & kLengths) != 0u) solve_lengths(strand);
    if ((kPhases & kWind) != 0u && kWindFirst == 0u && windy) blow(strand);
}

// Kernel D, by all lanes. The bodies move with the head.
void leave_bodies(Place head_before, Place head, bool first) {
    Field where = Field(params.field_low, params.field_high, params.field_scale);
    for (uint i = gl_LocalInvocationIndex; i < kStrands * kVertices; i += gl_WorkGroupSize.x) {
        uint column = i % kStrands;
        uint v = i / kStrands;
        uint kind = kinds[column];
        if (v < kPinned || (kind & kNowhere) != 0u || is_held(kind, first)) continue;
        uint at = place_index(column, v);
        vec3 entered = place_at(at);
        vec3 x = out_of_bodies(entered, params.capsule_count, where, params.margin);
        if (x == entered) continue;
        vec3 before = former_at(at);
        vec3 carried = before;
        if (params.attached != 0u) carried = placed(head, taken_back(head_before, before));
        Contact met = after_contact(x, entered, before, carried, params.friction,
                                    params.capsule_count, where, params.margin);
        set_former_at(at, met.before);
        set_place_at(at, met.x);
    }
}

Place head_in_step(float share) {
    return place_between(head_at(params.step), head_at(params.step + 1u),
                         share >= 1.0 ? params.part.y : mix(params.part.x, params.part.y, share));
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint first_strand = group_index() * kStrands;
    if (first_strand >= params.count) return; // all of the group
    bool runs = params.step < clock_steps();
    load(first_strand, runs);
    bool has_strand = lane < kStrands && (kinds[min(lane, kStrands - 1u)] & kNowhere) == 0u;
    bool has_bodies = params.capsule_count > 0u || has_field != 0u;
    for (uint i = 0u; i < params.substeps && runs; ++i) {
        bool first = i == 0u;
        Place head_before = head_in_step(float(i) / float(params.substeps));
        Place head = head_in_step(float(i + 1u) / float(params.substeps));
        if ((kPhases & kIntegrate) != 0u) integrate(first_strand, head, first);
        if ((kPhases & kCollide) != 0u && has_bodies)
            place_capsules(lane, gl_WorkGroupSize.x, params.capsule_count, params.attached != 0u, head);
        barrier();
        if (has_strand)
            shape_strand(first_strand + lane, root_of(first_strand + lane, head), kinds[lane], first);
        barrier();
        if ((kPhases & kCollide) == 0u) continue;
        if (has_bodies) leave_bodies(head_before, head, first);
        barrier();
        if (kClosing == 0u) continue;
        if (has_strand && !is_held(kinds[lane], first))
            follow_the_leader(first_strand + lane, params.correction);
        barrier();
    }
    store(first_strand);
    if ((kPhases & kMeasure) != 0u && lane == 0u && runs)
        atomicMax(probe.values[params.step + 1u], most_stretched);
    if (kSolver == kAdaptive && lane == 0u && first_strand == 0u && runs &&
        uintBitsToFloat(probe.values[params.step]) > params.stretched)
        atomicAdd(status.adhoc, 1u);
}
