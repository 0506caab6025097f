#version 460
// Puts the background, or another picture, behind what was drawn.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params { vec3 background; } params;

layout(constant_id = 25) const uint has_behind = 0u;
uniform sampler2D behind;
uniform sampler2D drawn;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 color = texelFetch(drawn, texel, 0);
    vec4 around =
        has_behind != 0u ? texelFetch(behind, texel, 0) : vec4(params.background, 1.0);
    imageStore(result, texel,
               vec4(color.rgb + color.a * around.rgb, 1.0 - color.a * (1.0 - around.a)));
}
