#version 460
layout(local_size_x = 64) in;

#include "hash.glsl"

readonly buffer Source { uint values[]; } source;
buffer Target { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= source.values.length()) return;
    atomicAdd(target.values[hash(i) % target.values.length()], hash(source.values[i]));
}
