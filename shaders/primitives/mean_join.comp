#version 460
// The mean of weighted means, in one group.

layout(local_size_x = 256) in;

#include "group_mean.glsl"

readonly buffer Means { WeightedMean values[]; } means;
writeonly buffer Mean { vec4 value; } mean;

uniform Params {
    uint count;
} params;

void main() {
    vec4 value = vec4(0.0);
    float weight = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < params.count; i += 256u) {
        WeightedMean other = means.values[i];
        if (other.weight.x == 0.0) continue;
        float sum = weight + other.weight.x;
        value += (other.value - value) * (other.weight.x / sum);
        weight = sum;
    }
    WeightedMean result = mean_of_group(value, weight);
    if (gl_LocalInvocationIndex == 0u) mean.value = result.value;
}
