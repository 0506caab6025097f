#version 460
// Kernel S: the groom where the head is, at rest; or what went before, where hair goes on.

layout(local_size_x = 256) in;

#include "clock.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;
layout(constant_id = 1) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots;
layout(constant_id = 2) const uint has_before = 0u;
readonly buffer Before { vec4 values[]; } before;   // what went before, unless hair begins again
layout(constant_id = 3) const uint kFirst = 0u;     // 1: where the head is before the steps
writeonly buffer Result { vec4 values[]; } result;

uniform Params {
    uint count; // vertices of all strands
    uint vertices;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    if (has_before != 0u && !clock_resets()) {
        result.values[at] = before.values[at];
        return;
    }
    uint strand = at / params.vertices;
    Place head = kFirst != 0u ? head_at(0u) : head_now();
    if (has_roots != 0u)
        head = joined_places(head, Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz));
    result.values[at] = vec4(placed(head, rest.values[at].xyz), weight_of(at % params.vertices));
}
