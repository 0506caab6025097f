#version 460
// Spheres in the order of their keys.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Order { uint values[]; } order;
readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Optics { vec4 values[]; } optics;
writeonly buffer SortedBalls { vec4 values[]; } sorted_balls;
writeonly buffer SortedOptics { vec4 values[]; } sorted_optics;

uniform Params {
    uint spheres;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.spheres) return;
    uint from = order.values[i];
    sorted_balls.values[i] = balls.values[from];
    for (uint k = 0u; k < 3u; ++k)
        sorted_optics.values[3u * i + k] = optics.values[3u * from + k];
}
