#version 460
// Squares the distances along the rows.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D rows;
uniform writeonly uimage2D squares;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(squares)))) return;
    uint along = texelFetch(rows, texel, 0).r;
    imageStore(squares, texel, uvec4(along * along));
}
