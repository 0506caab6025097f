#version 460
layout(local_size_x = 64) in;

#include "hash.glsl"

buffer Target { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < target.values.length()) target.values[i] = hash(target.values[i], i);
}
