#version 460
// Second half of the projection onto spherical harmonics: adds up the groups' sums, always in the
// same order, and multiplies in the constants of basis and cosine lobe.

layout(local_size_x = 16) in;

readonly buffer Partials {
    vec4 sums[]; // 9 of each group
} partials;
writeonly buffer Irradiance {
    vec4 coefficients[9];
} irradiance;

uniform Params {
    uint groups;
} params;

const float kPi = 3.14159265358979;

// Square of the basis function's constant, times what the cosine lobe leaves of its degree over pi:
// 1, 2/3 and 1/4 (Ramamoorthi and Hanrahan, SIGGRAPH 2001, equation 8).
const float kFactors[9] =
    float[](1.0 / (4.0 * kPi), 1.0 / (2.0 * kPi), 1.0 / (2.0 * kPi), 1.0 / (2.0 * kPi),
            15.0 / (16.0 * kPi), 15.0 / (16.0 * kPi), 5.0 / (64.0 * kPi), 15.0 / (16.0 * kPi),
            15.0 / (64.0 * kPi));

void main() {
    uint i = gl_LocalInvocationIndex;
    if (i >= 9u) return;
    vec4 sum = vec4(0.0);
    for (uint g = 0u; g < params.groups; ++g) sum += partials.sums[9u * g + i];
    irradiance.coefficients[i] = kFactors[i] * sum;
}
