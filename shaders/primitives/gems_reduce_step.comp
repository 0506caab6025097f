#version 460
// One pass of a reduction: each texel of the result combines two by two of the source.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    float scale; // of the result: 1 over the number of texels in the last pass of a mean
} params;

// 0: sum; 1: minimum; 2: maximum
layout(constant_id = 0) const uint combine_by = 0u;
// What the first pass takes of a texel: 0: its luminance; 1: the logarithm of it; 2: its first
// channel, what the other passes do
layout(constant_id = 1) const uint reads = 2u;

const uint kInfinity = 0x7f800000u; // its bits
const float kLeastLuminance = 1e-6; // black has no logarithm
#include "color.glsl"
#include "scene/scene_color.glsl"

float value_of(ivec2 texel, ivec2 size) {
    // Beyond an odd edge there is nothing: what changes nothing stands there.
    if (any(greaterThanEqual(texel, size)))
        return combine_by == 0u ? 0.0 : uintBitsToFloat(kInfinity) * (combine_by == 1u ? 1.0 : -1.0);
    vec4 color = texelFetch(source, texel, 0);
    float value = reads == 2u ? color.r : luminance(usable_color(color.rgb));
    return reads == 1u ? log(max(value, kLeastLuminance)) : value;
}

float combine(float a, float b) {
    return combine_by == 0u ? a + b : (combine_by == 1u ? min(a, b) : max(a, b));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    ivec2 size = textureSize(source, 0);
    float top = combine(value_of(2 * texel, size), value_of(2 * texel + ivec2(1, 0), size));
    float bottom = combine(value_of(2 * texel + ivec2(0, 1), size),
                           value_of(2 * texel + ivec2(1, 1), size));
    imageStore(result, texel, vec4(combine(top, bottom) * params.scale, 0.0, 0.0, 1.0));
}
