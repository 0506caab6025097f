#version 460
// Reinhard's global operator with the numbers of the whole picture.

layout(local_size_x = 16, local_size_y = 16) in;

#include "color.glsl"
#include "scene/scene_color.glsl"

uniform sampler2D source;
readonly buffer LogAverage { float value; } log_average;
readonly buffer Maximum { float value; } maximum;
uniform writeonly image2D result;

uniform Params {
    float key;        // what the logarithmic mean becomes
    float white;      // scaled luminance that becomes 1; 0: that of the maximum
    uint encode_srgb; // 1: sRGB transfer function; 0: linear
} params;

const float kLeastWhite = 1e-6; // of a black picture, in which nothing is scaled

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 color = texelFetch(source, texel, 0);
    float scale = params.key / exp(log_average.value);
    float white = max(params.white > 0.0 ? params.white : scale * maximum.value, kLeastWhite);

    // Reinhard et al., "Photographic tone reproduction for digital images", SIGGRAPH 2002,
    // equation 4 on luminance.
    vec3 rgb = usable_color(color.rgb) * scale;
    float l = luminance(rgb);
    rgb = clamp(rgb * (1.0 + l / (white * white)) / (1.0 + l), 0.0, 1.0);
    if (params.encode_srgb != 0u) rgb = srgb_encode(rgb);
    imageStore(result, texel, vec4(rgb, isnan(color.a) ? 0.0 : clamp(color.a, 0.0, 1.0)));
}
