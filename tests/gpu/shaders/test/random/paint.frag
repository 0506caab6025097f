#version 460

#include "hash.glsl"

uniform Params { uint salt; } params;
uniform usampler2D source;
readonly buffer Paint { uint values[]; } paint;
layout(location = 0) out uint color;

void main() {
    const ivec2 p = ivec2(gl_FragCoord.xy);
    const uint texel = texelFetch(source, p % textureSize(source, 0), 0).r;
    color = hash(hash(texel, paint.values[uint(p.x) % paint.values.length()]), params.salt);
}
