#version 460
// The weights of a filter as an array.

layout(local_size_x = 64) in;

const uint kMaxWeights = 343u; // 7 x 7 x 7

uniform Params {
    uint count;
    vec4 values[(kMaxWeights + 3u) / 4u];
} params;

writeonly buffer Weights { float values[]; } weights;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < params.count) weights.values[i] = params.values[i / 4u][i % 4u];
}
