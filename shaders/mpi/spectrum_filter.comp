#version 460
// Multiplies a rank's part of a spectrum by a function of the length k of the wave vector.
layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Source { vec2 values[]; } source;
readonly buffer Squares { float list[]; } squares; // of wave numbers along x, then y, then z
writeonly buffer Result { vec2 values[]; } result;

const uint kGaussian = 0u;
const uint kPower = 1u;

uniform Params {
    uint count;     // numbers of the part
    uint width;     // along x
    uint height;    // along y
    uvec3 first;    // the part's first wave numbers in `squares`
    uint shape;
    float strength; // gaussian: half of sigma^2; power: half the exponent
} params;

float factor_of(float k_squared) {
    if (params.shape == kGaussian) return exp(-params.strength * k_squared);
    if (k_squared == 0.0) return 0.0;
    return params.shape == kPower ? pow(k_squared, params.strength) : -1.0 / k_squared;
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint row = index / params.width;
    uvec3 at = params.first +
               uvec3(index % params.width, row % params.height, row / params.height);
    float k_squared = squares.list[at.x] + squares.list[at.y] + squares.list[at.z];
    result.values[index] = factor_of(k_squared) * source.values[index];
}
