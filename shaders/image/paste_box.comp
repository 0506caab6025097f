#version 460
// Copies a small picture into a larger one; what lies beyond its edges is left out.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D box;
uniform writeonly image2D result;

uniform Params {
    ivec2 corner; // of the result, where the box begins
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 to = params.corner + texel;
    if (any(greaterThanEqual(texel, textureSize(box, 0))) || any(greaterThanEqual(to, imageSize(result)))) return;
    imageStore(result, to, texelFetch(box, texel, 0));
}
