#version 460
// The light of bloom at half the size.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
layout(rgba16f) uniform writeonly image2D result;

#include "bloom.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    ivec2 last = textureSize(source, 0) - 1;
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            sum += halving_weight(x, y) *
                   texelFetch(source, clamp(2 * texel - 1 + ivec2(x, y), ivec2(0), last), 0).rgb;
    imageStore(result, texel, vec4(sum, 1.0));
}
