#version 460
// A turning disc of bodies, the last of them heavy.
layout(local_size_x = 64) in;
#include "body.glsl"
#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Bodies { Body list[]; } bodies;

void main() {
    uint i = invocation_index();
    uint count = uint(bodies.list.length());
    if (i >= count) return;
    vec3 random = random_numbers(i, 0u, 0u);
    float radius = 0.15 + 0.7 * sqrt(random.x);
    float angle = 6.2831853 * random.y;
    vec2 out_of = vec2(cos(angle), sin(angle));
    bool center = i == count - 1u;
    Body one;
    one.place = center ? vec4(0, 0, 0, 1) : vec4(radius * out_of, 0, 0.2 / float(count));
    one.speed = center ? vec4(0) : vec4(vec2(-out_of.y, out_of.x) / sqrt(radius), 0, 0);
    bodies.list[i] = one;
}
