#version 460
// Counts the bodies in each texel. What is read and written begins with zeros.
layout(local_size_x = 64) in;
#include "body.glsl"
#include "invocation.glsl"

readonly buffer Bodies { Body list[]; } bodies;
layout(r32ui) uniform uimage2D counts;

void main() {
    uint i = invocation_index();
    if (i >= uint(bodies.list.length())) return;
    ivec2 size = imageSize(counts);
    vec2 place = 0.5 * vec2(size) + 0.45 * float(min(size.x, size.y)) * bodies.list[i].place.xy;
    if (all(greaterThanEqual(place, vec2(0))) && all(lessThan(place, vec2(size))))
        imageAtomicAdd(counts, ivec2(place), 1u);
}
