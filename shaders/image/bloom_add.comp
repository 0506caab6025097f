#version 460
// A picture with the light that is spread around what is bright in it.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform sampler2D small; // that light, at half the size
uniform writeonly image2D result;

uniform Params {
    float intensity;
    uint alone; // 1: the light without the picture
    vec3 tint;
} params;

#include "bloom.glsl"

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 color = texelFetch(source, texel, 0);
    vec3 light = params.intensity * params.tint * doubled(small, texel);
    imageStore(result, texel, vec4(params.alone != 0u ? light : color.rgb + light, color.a));
}
