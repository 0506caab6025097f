#version 460
// Puts what the host knows of a planet and the eye above it into the buffer that terrain/surface.glsl
// reads.

layout(local_size_x = 64) in;

const uint kFaces = 6u;
const uint kOctaves = 28u;

uniform Params {
    vec4 anchor;
    vec4 above;
    vec4 noise;
    ivec4 anchors[kFaces];
    vec4 rests[kFaces];
    ivec4 cells[kOctaves];
    vec4 parts[kOctaves];
    vec4 slopes[kOctaves];
    vec4 bends[kOctaves];
    vec4 twists[kOctaves];
} params;

writeonly buffer Words { uvec4 values[]; } words;

void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0u) {
        words.values[0] = floatBitsToUint(params.anchor);
        words.values[1] = floatBitsToUint(params.above);
        words.values[2] = floatBitsToUint(params.noise);
    }
    if (i < kFaces) {
        words.values[3u + 2u * i] = uvec4(params.anchors[i]);
        words.values[4u + 2u * i] = floatBitsToUint(params.rests[i]);
    }
    if (i < kOctaves) {
        uint first = 3u + 2u * kFaces + 5u * i;
        words.values[first] = uvec4(params.cells[i]);
        words.values[first + 1u] = floatBitsToUint(params.parts[i]);
        words.values[first + 2u] = floatBitsToUint(params.slopes[i]);
        words.values[first + 3u] = floatBitsToUint(params.bends[i]);
        words.values[first + 4u] = floatBitsToUint(params.twists[i]);
    }
}
