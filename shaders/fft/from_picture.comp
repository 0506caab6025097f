#version 460
// A weighted sum of a picture's channels as an array, row by row.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    vec4 weights;
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(source, 0);
    if (any(greaterThanEqual(texel, size))) return;
    result.values[texel.y * size.x + texel.x] = dot(texelFetch(source, texel, 0), params.weights);
}
