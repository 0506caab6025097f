#version 460
// Kernel D: moves vertices out of bodies, and finds tangents.

layout(local_size_x = 64) in;

#include "clock.glsl"
#include "colliders.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Groups { uint values[]; } groups;
buffer Positions { vec4 values[]; } positions;
buffer Previous { vec4 values[]; } previous;
writeonly buffer Tangents { vec4 values[]; } tangents;
buffer Status { uint resets; uint adhoc; uint bad_distances; } status;

uniform Params {
    uint count;
    uint vertices;
    uint step;
    vec2 part;
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

shared vec3 x[64];

void main() {
    uint strands = 64u / params.vertices;
    uint lane = gl_LocalInvocationIndex;
    uint vertex = lane % params.vertices;
    uint strand = group_index() * strands + lane / params.vertices;
    bool there = lane / params.vertices < strands && strand < params.count;
    uint at = strand * params.vertices + vertex;
    bool runs = params.step < clock_steps();
    Place head_at_start = place_between(head_at(params.step), head_at(params.step + 1u), params.part.x);
    Place head_at_end = place_between(head_at(params.step), head_at(params.step + 1u), params.part.y);
    Field where = placed_field(params.field_low, params.field_high, params.field_scale,
                               Place(params.field_turn, params.field_shift),
                               (params.attached & 2u) != 0u, head_at_end);
    float earlier = (1.0 - params.part.y) * params.dt;
    if (runs) earlier += float(clock_steps() - 1u - params.step) * params.dt;
    Bodies all = Bodies(params.capsule_count, params.solid_count, earlier, where, params.margin);
    if (runs) place_bodies(lane, 64u, all, params.attached, head_at_end);
    barrier();
    x[lane] = vec3(0.0);
    if (there) {
        x[lane] = positions.values[at].xyz;
        bool rigid = (groups.values[strand] & kRigid) != 0u;
        if (runs && vertex >= kPinned && !rigid) {
            vec3 entered = x[lane];
            uint touched = kTouchedNothing;
            x[lane] = out_of_bodies(entered, anything(all), all, touched);
            if (has_field != 0u && met_bad_distance) atomicAdd(status.bad_distances, 1u);
            if (x[lane] != entered) {
                vec3 before = previous.values[at].xyz;
                vec3 carried = carried_by(touched, before, head_at_start, head_at_end, params.attached, all,
                                          params.seconds);
                Contact met = after_contact(x[lane], entered, before, carried, params.friction,
                                            anything(all), all);
                x[lane] = met.x;
                previous.values[at] = vec4(met.before, 0.0);
                positions.values[at] = vec4(met.x, 1.0);
            }
        }
    }
    barrier();
    if (!there) return;
    uint first = min(vertex, params.vertices - 2u) + lane - vertex;
    vec3 along = x[first + 1u] - x[first];
    float size = length(along);
    tangents.values[at] = vec4(size > kShortest ? along / size : vec3(0.0, -1.0, 0.0), 0.0);
}
