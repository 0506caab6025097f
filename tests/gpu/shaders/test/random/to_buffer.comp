#version 460
layout(local_size_x = 64) in;

#include "hash.glsl"

uniform usampler2D source;
writeonly buffer Target { uint values[]; } target;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= target.values.length()) return;
    const ivec2 size = textureSize(source, 0);
    const ivec2 p = ivec2(int(i) % size.x, int(i) / size.x % size.y);
    target.values[i] = hash(texelFetch(source, p, 0).r, i);
}
