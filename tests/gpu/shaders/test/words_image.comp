#version 460
// An image whose texels are the words of a buffer, row by row.

layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Source { uint words[]; } source;
uniform writeonly image2D target;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(target);
    if (any(greaterThanEqual(texel, size))) return;
    imageStore(target, texel, vec4(source.words[texel.y * size.x + texel.x]));
}
