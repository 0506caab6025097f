#version 460
// Puts the background behind what was drawn.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params { vec3 background; } params;

uniform sampler2D drawn;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 color = texelFetch(drawn, texel, 0);
    imageStore(result, texel, vec4(color.rgb + color.a * params.background, 1.0));
}
