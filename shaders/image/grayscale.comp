#version 460
// Replaces red, green and blue by a weighted sum of them; alpha stays.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    vec3 weights;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec4 color = texelFetch(source, texel, 0);
    imageStore(result, texel, vec4(vec3(dot(color.rgb, params.weights)), color.a));
}
