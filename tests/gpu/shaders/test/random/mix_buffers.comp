#version 460
layout(local_size_x = 64) in;

#include "hash.glsl"

uniform Params { uint salt; } params;
readonly buffer A { uint values[]; } a;
readonly buffer B { uint values[]; } b;
writeonly buffer Target { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= target.values.length()) return;
    const uint of_a = a.values[i % a.values.length()];
    const uint of_b = b.values[(i * 7u) % b.values.length()];
    target.values[i] = hash(hash(of_a, of_b), params.salt);
}
