#version 460
// What particles have left as whole numbers.

layout(local_size_x = 16, local_size_y = 16) in;

#include "status.glsl"

uniform sampler2D squared;
uniform writeonly uimage2D field;

uniform Params {
    uint most; // of a texel without an object near enough
} params;

const float kMoreThanAny = 1.0e9;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    float value = texelFetch(squared, texel, 0).r;
    uint whole = value < kMoreThanAny ? min(uint(value), params.most) : params.most;
    imageStore(field, texel, uvec4(whole));
    if (texel == ivec2(0)) status.passes = 1u;
}
