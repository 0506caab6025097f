#version 460
// How each strand's root moves with the triangle that it is bound to.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "turn.glsl"

readonly buffer Bound { vec4 values[]; } bound;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Rest { float values[]; } rest;
readonly buffer Now { float values[]; } now;
writeonly buffer Roots { vec4 values[]; } roots;
buffer Status { uint degenerate; } status;

uniform Params {
    uint count;
} params;

vec3 rest_corner(uint i) {
    uint at = 3u * indices.values[i];
    return vec3(rest.values[at], rest.values[at + 1u], rest.values[at + 2u]);
}
vec3 corner_now(uint i) {
    uint at = 3u * indices.values[i];
    return vec3(now.values[at], now.values[at + 1u], now.values[at + 2u]);
}

// x along ab, y in the triangle; no rotation where it has no area.
vec4 frame_of(vec3 ab, vec3 ac, out bool good) {
    vec3 normal = cross(ab, ac);
    good = dot(normal, normal) > 0.0 && dot(ab, ab) > 0.0;
    if (!good) return kNoTurn;
    vec3 x = normalize(ab);
    vec3 y = normalize(cross(normal, ab));
    vec4 turn = turn_from_x(x);
    vec3 side = turned(turn, vec3(0.0, 1.0, 0.0));
    float angle = atan(dot(cross(side, y), x), dot(side, y));
    return joined_turns(vec4(x * sin(0.5 * angle), cos(0.5 * angle)), turn);
}

void main() {
    uint strand = invocation_index();
    if (strand >= params.count) return;
    vec4 place = bound.values[strand];
    uint first = 3u * uint(place.z);
    vec3 a0 = rest_corner(first);
    vec3 ab0 = rest_corner(first + 1u) - a0;
    vec3 ac0 = rest_corner(first + 2u) - a0;
    vec3 a1 = corner_now(first);
    vec3 ab1 = corner_now(first + 1u) - a1;
    vec3 ac1 = corner_now(first + 2u) - a1;
    bool good_before, good_now;
    vec4 before = frame_of(ab0, ac0, good_before);
    vec4 after = frame_of(ab1, ac1, good_now);
    vec4 turn = kNoTurn;
    if (good_before && good_now) turn = normalize(joined_turns(after, inverse_turn(before)));
    else atomicAdd(status.degenerate, 1u);
    vec3 from = a0 + place.x * ab0 + place.y * ac0;
    vec3 to = a1 + place.x * ab1 + place.y * ac1;
    roots.values[2u * strand] = turn;
    roots.values[2u * strand + 1u] = vec4(to - turned(turn, from), 0.0);
}
