#version 460
// Puts a picture behind light that has been gathered front to back.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D background;
uniform sampler2D above; // light, and in alpha what comes through
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 light = texelFetch(above, texel, 0);
    vec4 below = texelFetch(background, texel, 0);
    imageStore(result, texel, vec4(light.rgb + light.a * below.rgb,
                                   1.0 - light.a * (1.0 - below.a)));
}
