#version 460
// Kernel A: moves each vertex on and pulls it towards its place in the groom. A strand that is not
// finite begins again at rest.

layout(local_size_x = 64) in;

#include "clock.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;       // place in the groom; length to the next vertex
readonly buffer Groups { uint values[]; } groups;   // of each strand
readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Previous { vec4 values[]; } previous;
writeonly buffer Moved { vec4 values[]; } moved;
writeonly buffer Former { vec4 values[]; } former;
buffer Status { uint resets; uint adhoc; uint bad_distances; } status;
layout(constant_id = 1) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots; // turn and shift of each strand

uniform Params {
    uint count;
    uint vertices;
    uint step;
    vec2 part; // of the step: where it begins and ends
    vec3 fall; // gravity times the square of the time
    vec4 groups[8]; // keep, local stiffness, global stiffness, range
    uint fades;
} params;

shared uint broken[64]; // of each strand of the group

void main() {
    uint strands = 64u / params.vertices;
    uint lane = gl_LocalInvocationIndex;
    uint of_group = lane / params.vertices;
    uint vertex = lane % params.vertices;
    uint strand = group_index() * strands + of_group;
    bool there = of_group < strands && strand < params.count;
    uint at = strand * params.vertices + vertex;
    bool runs = params.step < clock_steps();

    vec3 x = vec3(0.0);
    vec3 before = vec3(0.0);
    broken[lane] = 0u;
    barrier();
    if (there) {
        x = positions.values[at].xyz;
        before = previous.values[at].xyz;
        if (!is_finite(x) || !is_finite(before)) broken[of_group] = 1u;
    }
    barrier();
    if (!there) return;
    if (!runs) {
        moved.values[at] = positions.values[at];
        former.values[at] = previous.values[at];
        return;
    }
    Place head = place_between(head_at(params.step), head_at(params.step + 1u), params.part.y);
    if (has_roots != 0u)
        head = joined_places(head, Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz));
    vec3 goal = placed(head, rest.values[at].xyz);
    uint group = groups.values[strand];
    bool reset = broken[of_group] != 0u;
    if (reset && vertex == 0u) atomicAdd(status.resets, 1u);
    if (reset || vertex < kPinned || (group & kRigid) != 0u) {
        x = goal;
        before = goal;
    } else {
        vec4 numbers = params.groups[min(group, kGroups - 1u)];
        vec3 now = x;
        x = integrated(x, before, numbers.x, params.fall);
        before = now;
        x += (goal - x) * global_pull(numbers, vertex, params.vertices, params.fades != 0u);
    }
    moved.values[at] = vec4(x, weight_of(vertex));
    former.values[at] = vec4(before, 0.0);
}
