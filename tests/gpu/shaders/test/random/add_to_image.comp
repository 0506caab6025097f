#version 460
layout(local_size_x = 64) in;

#include "hash.glsl"

readonly buffer Source { uint values[]; } source;
layout(r32ui) uniform uimage2D target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= source.values.length()) return;
    const uvec2 size = uvec2(imageSize(target));
    const uint place = hash(i);
    imageAtomicAdd(target, ivec2(uvec2(place, place >> 8) % size), hash(source.values[i]));
}
