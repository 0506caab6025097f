#version 460
//! variants TWIST=0,1
// Whole steps of whole strands: each lane has one, in shared memory, and takes it through all
// sub-steps. `kPhases` says what a node does: all of it, or a kernel of the chapter's alone. With
// TWIST edges have directions of their own, the material frames of a Cosserat rod.

layout(local_size_x = 32, local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVertices = 16u; // of a strand

#include "clock.glsl"
#include "colliders.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Local { vec4 values[]; } local; // edge to a vertex in the frame before it
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

shared uint broken[64];
shared uint most_stretched;

void load(uint first_strand) {
    uint lane = gl_LocalInvocationIndex;
    broken[lane] = 0u;
    if (lane == 0u) most_stretched = 0u;
    barrier();
    uint begin = first_strand * kVertices;
    uint end = min(params.count - first_strand, gl_WorkGroupSize.x) * kVertices;
    for (uint i = lane; i < end; i += gl_WorkGroupSize.x) {
        vec3 x = positions.values[begin + i].xyz;
        vec3 before = previous.values[begin + i].xyz;
        uint strand = i / kVertices;
        uint at = place_index(strand, i % kVertices);
        for (uint c = 0u; c < 3u; ++c) {
            places[at + c * kColumns] = x[c];
            former_places[at + c * kColumns] = before[c];
        }
        if (!is_finite(x) || !is_finite(before)) broken[strand] = 1u;
    }
    barrier();
}

vec3 loaded_place(uint at) {
    return vec3(places[at], places[at + kColumns], places[at + 2u * kColumns]);
}

void store(uint first_strand) {
    barrier();
    uint begin = first_strand * kVertices;
    uint end = min(params.count - first_strand, gl_WorkGroupSize.x) * kVertices;
    for (uint i = gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x) {
        uint vertex = i % kVertices;
        uint at = place_index(i / kVertices, vertex);
        vec3 x = loaded_place(at);
        moved.values[begin + i] = vec4(x, weight_of(vertex));
        former.values[begin + i] =
            vec4(former_places[at], former_places[at + kColumns], former_places[at + 2u * kColumns], 0.0);
        if ((kPhases & kTangents) != 0u) {
            uint low = place_index(i / kVertices, min(vertex, kVertices - 2u));
            vec3 along = loaded_place(low + 3u * kColumns) - loaded_place(low);
            float size = length(along);
            tangents.values[begin + i] = vec4(size > kShortest ? along / size : vec3(0.0, -1.0, 0.0), 0.0);
        }
    }
}

#if TWIST
// The frames at rest, where the head is; or that of the edge at the root alone.
void place_frames(uint first, Place head, bool all_edges) {
    vec4 frame = joined_turns(head.turn, local.values[first]);
    turns.values[first] = frame;
    for (uint v = 1u; all_edges && v + 1u < kVertices; ++v) {
        vec3 along = local.values[first + v + 1u].xyz;
        float size = length(along);
        if (size > 0.0) frame = normalize(joined_turns(frame, turn_from_x(along / size)));
        turns.values[first + v] = frame;
    }
}
#endif

void integrate(uint first, Place head, vec4 group, bool held) {
#if TWIST
    place_frames(first, head, held);
#endif
    for (uint v = 0u; v < kVertices; ++v) {
        vec3 goal = placed(head, rest.values[first + v].xyz);
        vec3 x = place_of(v);
        vec3 before = former_of(v);
        if (v < kPinned || held) {
            x = goal;
            before = goal;
        } else {
            vec3 now = x;
            x = integrated(x, before, group.x, params.fall);
            before = now;
            x += (goal - x) * global_pull(group, v, kVertices, params.fades != 0u);
        }
        set_place(v, x);
        set_former(v, before);
    }
}

// Kernel B: a vertex is drawn to where the frame before it would have it.
void keep_local_shape(uint first, Place head, float stiffness) {
    vec4 frame = joined_turns(head.turn, local.values[first]);
    vec3 x = place_of(1u);
    for (uint v = 1u; v + 1u < kVertices; ++v) {
        vec3 next = place_of(v + 1u);
        vec3 off = 0.5 * stiffness * (x + turned(frame, local.values[first + v + 1u].xyz) - next);
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

void solve_lengths(uint first) {
#if TWIST
    solve_rod(first, params.length_iterations);
#else
    bool follows = kSolver == kFollow;
    if (kSolver == kAdaptive)
        follows = uintBitsToFloat(probe.values[params.step]) > params.stretched;
    if (follows) follow_the_leader(first, params.correction);
    else if (kSolver == kDirect)
        solve_directly(first, params.length_iterations, params.compliance);
    else solve_by_batches(first, params.length_iterations, kSolver == kSoft ? params.compliance : 0.0);
#endif
}

void leave_bodies(Place head_before, Place head) {
    Field where = Field(params.field_low, params.field_high, params.field_scale);
    for (uint v = kPinned; v < kVertices; ++v) {
        vec3 entered = place_of(v);
        vec3 x = out_of_bodies(entered, params.capsule_count, where, params.margin);
        if (x == entered) continue;
        vec3 before = former_of(v);
        vec3 carried = before;
        if (params.attached != 0u) carried = placed(head, taken_back(head_before, before));
        Contact met = after_contact(x, entered, before, carried, params.friction,
                                    params.capsule_count, where, params.margin);
        set_former(v, met.before);
        set_place(v, met.x);
    }
}

// The bodies move with the head from `bodies_before` to `bodies_now`.
void take_substep(uint strand, Place head, vec4 group, bool held, Place bodies_before,
                  Place bodies_now) {
    uint first = strand * kVertices;
    if ((kPhases & kIntegrate) != 0u) integrate(first, head, group, held);
    if (held) return;
    if ((kPhases & kLocalShape) != 0u && group.y > 0.0)
        for (uint i = 0u; i < params.local_iterations; ++i) keep_local_shape(first, head, group.y);
    if ((kPhases & kWind) != 0u && kWindFirst != 0u) blow(strand);
    if ((kPhases & kMeasure) != 0u && rest_length(first, 1u) > 0.0)
        atomicMax(most_stretched,
                  floatBitsToUint(distance(place_of(1u), place_of(2u)) / rest_length(first, 1u)));
    if ((kPhases & kLengths) != 0u) solve_lengths(first);
    if ((kPhases & kWind) != 0u && kWindFirst == 0u) blow(strand);
    if ((kPhases & kCollide) != 0u) {
        leave_bodies(bodies_before, bodies_now);
        if (kClosing != 0u) follow_the_leader(first, params.correction);
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint first_strand = group_index() * gl_WorkGroupSize.x;
    if (first_strand >= params.count) return; // all of the group
    bool runs = params.step < clock_steps();
    load(first_strand);
    uint strand = first_strand + lane;
    bool there = strand < params.count && runs;
    uint group = there ? groups.values[strand] : 0u;
    bool rigid = (group & kRigid) != 0u || kVertices < 3u;
    vec4 numbers = params.groups[min(group & ~kRigid, kGroups - 1u)];
    Place root = Place(kNoTurn, vec3(0.0));
    if (has_roots != 0u && there)
        root = Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz);
    bool again = there && broken[lane] != 0u && (kPhases & kIntegrate) != 0u;
    if (again) atomicAdd(status.resets, 1u);
    for (uint i = 0u; i < params.substeps && runs; ++i) {
        float share = mix(params.part.x, params.part.y, float(i + 1u) / float(params.substeps));
        if (i + 1u == params.substeps) share = params.part.y;
        float start = mix(params.part.x, params.part.y, float(i) / float(params.substeps));
        Place head = place_between(head_at(params.step), head_at(params.step + 1u), share);
        Place bodies_before = place_between(head_at(params.step), head_at(params.step + 1u), start);
        Place bodies_now = head;
        if ((kPhases & kCollide) != 0u) {
            barrier();
            place_capsules(lane, gl_WorkGroupSize.x, params.capsule_count, params.attached != 0u, head);
            barrier();
        }
        if (has_roots != 0u) head = joined_places(head, root);
        if (there) take_substep(strand, head, numbers, rigid || (again && i == 0u), bodies_before, bodies_now);
    }
    store(first_strand);
    if ((kPhases & kMeasure) != 0u && lane == 0u && runs)
        atomicMax(probe.values[params.step + 1u], most_stretched);
    if (kSolver == kAdaptive && lane == 0u && first_strand == 0u && runs &&
        uintBitsToFloat(probe.values[params.step]) > params.stretched)
        atomicAdd(status.adhoc, 1u);
}
