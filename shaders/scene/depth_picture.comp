#version 460
// A depth buffer as a picture of one channel.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, vec4(texelFetch(source, texel, 0).r, 0.0, 0.0, 1.0));
}
