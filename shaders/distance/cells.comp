#version 460
// Texels in the colours of their nearest sites, with lines of equal distance.

layout(local_size_x = 16, local_size_y = 16) in;

#include "hash.glsl"

uniform usampler2D site;  // x | y << 16
uniform usampler2D field; // squared distances to them
uniform writeonly image2D result;

uniform Params {
    float contours; // texels from line to line; 0: none
    float line;     // width, texels
    float dot_radius;
    uint colors;
} params;

const uint kNoSite = 0xffffffffu;

// 1 up to `radius` from the middle of what is drawn, falling to 0 within a texel.
float drawn(float away, float radius) {
    return radius > 0.0 ? clamp(radius + 0.5 - away, 0.0, 1.0) : 0.0;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    uint nearest = texelFetch(site, texel, 0).x;
    vec3 color = vec3(0.5);
    if (nearest != kNoSite) {
        float away = sqrt(float(texelFetch(field, texel, 0).x));
        color = 0.35 + 0.6 * random_numbers(nearest & 0xffffu, nearest >> 16, params.colors);
        if (params.contours > 0.0) {
            float turn = max(round(away / params.contours), 1.0);
            color *= 1.0 - 0.55 * drawn(abs(away - turn * params.contours), 0.5 * params.line);
        }
        color = mix(color, vec3(0.05), drawn(away, params.dot_radius));
    }
    imageStore(result, texel, vec4(color, 1.0));
}
