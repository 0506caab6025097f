#version 460
// Adds to the light of one size a share of that of the smaller ones.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D light;
uniform sampler2D small;
layout(rgba16f) uniform writeonly image2D result;

uniform Params {
    float spread; // that share
} params;

#include "bloom.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec3 own = texelFetch(light, texel, 0).rgb;
    imageStore(result, texel, vec4(mix(own, doubled(small, texel), params.spread), 1.0));
}
