#version 460
layout(local_size_x = 8, local_size_y = 8) in;

#include "hash.glsl"

layout(r32ui) uniform uimage2D target;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    imageStore(target, p, uvec4(hash(imageLoad(target, p).r, uint(p.x))));
}
