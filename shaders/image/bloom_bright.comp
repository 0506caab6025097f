#version 460
// What is brighter than the threshold, at half the size.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
layout(rgba16f) uniform writeonly image2D result;

uniform Params {
    float threshold;
    float knee; // half the width of the range in which it begins
} params;

#include "bloom.glsl"

const float kMax = 65504.0;

// Texels that are not finite, and what is below 0, give no light.
vec3 bright(ivec2 texel) {
    vec3 color = texelFetch(source, clamp(texel, ivec2(0), textureSize(source, 0) - 1), 0).rgb;
    if (any(isnan(color)) || any(isinf(color))) return vec3(0.0);
    color = clamp(color, 0.0, kMax);
    float most = max(max(color.r, color.g), color.b);
    float over = most - params.threshold;
    if (abs(over) < params.knee) {
        float into = over + params.knee;
        over = into * into / (4.0 * params.knee);
    }
    return over <= 0.0 || most <= 0.0 ? vec3(0.0) : color * min(over / most, 1.0);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec3 sum = vec3(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            sum += halving_weight(x, y) * bright(2 * texel - 1 + ivec2(x, y));
    imageStore(result, texel, vec4(sum, 1.0));
}
