#version 460
// Exposes scene-linear colour, compresses it to [0, 1] and encodes it for a display.

layout(local_size_x = 16, local_size_y = 16) in;

#include "color.glsl"
#include "hash.glsl"
#include "scene/scene_color.glsl"

uniform sampler2D source;
uniform writeonly image2D result;

// The values of ToneCurve in passes/image/tonemap.hpp.
const int kCurveNone = 0;
const int kCurveReinhard = 1;
const int kCurveReinhardExtended = 2;
const int kCurveAces = 3;

uniform Params {
    float scale; // 2^exposure
    float white; // luminance that reinhard_extended maps to 1, after exposure
    int curve;
    uint encode_srgb; // 1: sRGB transfer function; 0: linear
    float dither;     // amplitude of the noise, peak to peak, in 8-bit steps; 0: off
} params;

// Reinhard et al., "Photographic tone reproduction for digital images", SIGGRAPH 2002, equation 3
// on luminance; the ratios between the channels stay.
vec3 reinhard(vec3 color) {
    return color / (1.0 + luminance(color));
}

// Equation 4 of the same paper.
vec3 reinhard_extended(vec3 color, float white) {
    float l = luminance(color);
    return color * (1.0 + l / (white * white)) / (1.0 + l);
}

// Stephen Hill's fit to the ACES reference rendering and sRGB output transforms, as published in
// M. Pettineo's BakingLab (2016): a matrix into the rendering space, a rational curve, a matrix
// back.
vec3 aces(vec3 color) {
    const mat3 to_rendering = mat3(0.59719, 0.07600, 0.02840, //
                                   0.35458, 0.90834, 0.13383, //
                                   0.04823, 0.01566, 0.83777);
    const mat3 to_display = mat3(1.60475, -0.10208, -0.00327, //
                                 -0.53108, 1.10813, -0.07276, //
                                 -0.07367, -0.00605, 1.07602);
    vec3 v = to_rendering * color;
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    return to_display * v;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    vec4 color = texelFetch(source, texel, 0);
    color = mix(color, vec4(0.0), isnan(color)); // one bad texel must not become a bad region
    vec3 rgb = clamp(color.rgb * params.scale, 0.0, kBrightest);

    if (params.curve == kCurveReinhard) rgb = reinhard(rgb);
    if (params.curve == kCurveReinhardExtended) rgb = reinhard_extended(rgb, params.white);
    if (params.curve == kCurveAces) rgb = aces(rgb);
    rgb = clamp(rgb, 0.0, 1.0);
    if (params.encode_srgb != 0u) rgb = srgb_encode(rgb);

    vec3 noise = unit_interval(pcg3d(uvec3(texel, 0u))) - 0.5;
    // Rounded here, for devices may round by up to 0.6 steps when they store.
    if (params.dither > 0.0) rgb = floor(rgb * 255.0 + 0.5 + params.dither * noise) / 255.0;
    imageStore(result, texel, vec4(rgb, clamp(color.a, 0.0, 1.0)));
}
