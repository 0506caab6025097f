#version 460
// Hair at the time of the picture: between the states before and after the last step, and where the
// head is now.

layout(local_size_x = 256) in;

#include "clock.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Last { vec4 values[]; } last; // before the last step
writeonly buffer Shown { vec4 values[]; } shown;
writeonly buffer Tangents { vec4 values[]; } tangents;
layout(constant_id = 1) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots;

uniform Params {
    uint count; // vertices of all strands
    uint vertices;
} params;

vec3 shown_at(uint at, Place root) {
    Place now = joined_places(head_now(), root);
    if (has_roots == 0u) now = head_now();
    if (at % params.vertices < kPinned) return placed(now, rest.values[at].xyz);
    float share = clock_share();
    vec3 x = positions.values[at].xyz;
    if (share < 1.0) x = mix(last.values[at].xyz, x, share);
    Place then = place_between(head_before_last(), head_at(clock_steps()), share);
    if (then.turn == head_now().turn && then.shift == head_now().shift) return x;
    return placed(head_now(), taken_back(then, x));
}

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    uint strand = at / params.vertices;
    uint vertex = at % params.vertices;
    Place root = Place(kNoTurn, vec3(0.0));
    if (has_roots != 0u) root = Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz);
    vec3 x = shown_at(at, root);
    vec3 along = vertex + 1u < params.vertices ? shown_at(at + 1u, root) - x : x - shown_at(at - 1u, root);
    float size = length(along);
    shown.values[at] = vec4(x, weight_of(vertex));
    tangents.values[at] = vec4(size > kShortest ? along / size : vec3(0.0, -1.0, 0.0), 0.0);
}
