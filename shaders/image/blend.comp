#version 460
// Composes a layer onto a base, both with premultiplied alpha. The modes are those of "Compositing
// and Blending Level 1" (W3C, 2024), sections 9.1 and 10.1, written for premultiplied colours.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D base;
uniform sampler2D layer;
uniform sampler2D mask; // red; not read where has_mask is 0
uniform writeonly image2D result;

layout(constant_id = 0) const uint has_mask = 0u;

uniform Params {
    int mode;
    float opacity; // scales the layer, colour and alpha
    float weight;  // of the layer, mode kMix only
} params;

#include "blend_colors.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    float coverage = params.opacity;
    if (has_mask != 0u) coverage *= texelFetch(mask, texel, 0).r;
    vec4 b = texelFetch(base, texel, 0);
    vec4 s = texelFetch(layer, texel, 0);

    if (params.mode == kMix) {
        float t = params.weight * coverage;
        imageStore(result, texel, b * (1.0 - t) + s * t);
        return;
    }
    s *= coverage;
    vec4 over = s + b * (1.0 - s.a);
    vec3 uncovered = s.rgb * (1.0 - b.a) + b.rgb * (1.0 - s.a); // where only one of the two is
    vec4 color = over;                                          // alpha is "over" in all but kAdd
    if (params.mode == kAdd) color = vec4(s.rgb + b.rgb, min(s.a + b.a, 1.0));
    if (params.mode == kMultiply) color.rgb = s.rgb * b.rgb + uncovered;
    if (params.mode == kScreen) color.rgb = s.rgb + b.rgb - s.rgb * b.rgb;
    if (params.mode == kMin) color.rgb = min(s.rgb * b.a, b.rgb * s.a) + uncovered;
    if (params.mode == kMax) color.rgb = max(s.rgb * b.a, b.rgb * s.a) + uncovered;
    if (params.mode == kDifference)
        color.rgb = s.rgb + b.rgb - 2.0 * min(s.rgb * b.a, b.rgb * s.a);
    if (params.mode >= kOverlay && params.mode <= kLuminosity) {
        vec3 cb = clamp(b.rgb / max(b.a, 1e-20), 0.0, 1.0); // not premultiplied
        vec3 cs = clamp(s.rgb / max(s.a, 1e-20), 0.0, 1.0);
        color.rgb = s.a * b.a * blended_colors(params.mode, cb, cs) + uncovered;
    }
    if (params.mode == kSubtract) color.rgb = max(b.rgb - s.rgb * b.a, 0.0) + s.rgb * (1.0 - b.a);
    if (params.mode == kIn) color = s * b.a;
    if (params.mode == kOut) color = s * (1.0 - b.a);
    if (params.mode == kAtop) color = s * b.a + b * (1.0 - s.a);
    if (params.mode == kXor) color = s * (1.0 - b.a) + b * (1.0 - s.a);
    imageStore(result, texel, color);
}
