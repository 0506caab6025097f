#version 460
layout(local_size_x = 8, local_size_y = 8) in;

#include "hash.glsl"

uniform Params { uint salt; } params;
uniform usampler2D a;
uniform usampler2D b;
writeonly uniform uimage2D target;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, imageSize(target)))) return;
    const uint of_a = texelFetch(a, p % textureSize(a, 0), 0).r;
    const uint of_b = texelFetch(b, p.yx % textureSize(b, 0), 0).r;
    imageStore(target, p, uvec4(hash(hash(of_a, of_b), params.salt)));
}
