#version 460
// Blurs the bilateral grid along one axis by a Gaussian. Numbers and weights are divided by each other in
// the end, so the Gaussian's sum does not matter. Nothing lies beyond the grid.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Source { vec2 sums[]; } source;
writeonly buffer Result { vec2 sums[]; } result;

uniform Params {
    uint count;
    uint stride; // between neighbours
    uint extent; // of the axis
    int radius;
    float falloff; // weight of the neighbour at d: exp2(-d^2 falloff)
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    int place = int(index / params.stride % params.extent);
    int low = max(-params.radius, -place);
    int high = min(params.radius, int(params.extent) - 1 - place);
    vec2 sum = vec2(0.0);
    for (int d = low; d <= high; ++d)
        sum += exp2(-float(d * d) * params.falloff) *
               source.sums[uint(int(index) + d * int(params.stride))];
    result.sums[index] = sum;
}
