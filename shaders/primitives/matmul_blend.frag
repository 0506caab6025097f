#version 460
// The matrix product in passes as it was made before compute shaders: each instance draws the whole
// result, and the blending unit adds what it draws to what is there.

#include "matmul_block.glsl"

layout(location = 0) flat in uint share;
layout(location = 0) out vec4 partial_sum;

void main() {
    uvec2 element = uvec2(gl_FragCoord.xy);
    partial_sum = vec4(block_sum(element, params.first + share * block));
}
