#version 460
// Takes a rectangle out of a picture.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    ivec2 low; // the rectangle's upper left texel
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    imageStore(result, texel, texelFetch(source, params.low + texel, 0));
}
