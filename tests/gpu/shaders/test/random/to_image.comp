#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kSalt = 0u;

#include "hash.glsl"

layout(push_constant) uniform Push { uint salt; } push;
readonly buffer Source { uint values[]; } source;
writeonly uniform uimage2D target;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    const ivec2 size = imageSize(target);
    if (any(greaterThanEqual(p, size))) return;
    const uint i = uint(p.y * size.x + p.x) % source.values.length();
    imageStore(target, p, uvec4(hash(source.values[i], push.salt + kSalt)));
}
