#version 460
// The luminance of each texel and its logarithm, row after row.

layout(local_size_x = 16, local_size_y = 16) in;

#include "color.glsl"
#include "scene/scene_color.glsl"

uniform sampler2D source;
writeonly buffer Luminances { float values[]; } luminances;
writeonly buffer Logarithms { float values[]; } logarithms;

const float kLeastLuminance = 1e-6; // black has no logarithm

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(source, 0);
    if (any(greaterThanEqual(texel, size))) return;
    float value = luminance(usable_color(texelFetch(source, texel, 0).rgb));
    uint at = uint(texel.y) * uint(size.x) + uint(texel.x);
    luminances.values[at] = value;
    logarithms.values[at] = log(max(value, kLeastLuminance));
}
