#version 460
// The weighted average of the transparent colours of each pixel over a picture.

#include "blend.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D background;
uniform sampler2D colors;
uniform sampler2D weights;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 sum = texelFetch(colors, texel, 0);
    float weight = texelFetch(weights, texel, 0).r;
    imageStore(result, texel, average_over(texelFetch(background, texel, 0), sum, weight));
}
