#version 460
// Adaptive filtering: a low pass, and as much of the high pass along each direction as the tensor
// of local structure lets through. With the control tensor C the filter is L + (1 - L) u^T C u at
// each place.
//! variants DIMENSIONS=2,3,4
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "symmetric.glsl"

readonly buffer Tensor { float values[]; } tensor;
readonly buffer Responses { float values[]; } responses; // the low pass, then the upper triangle
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint places; // of an array
    uint arrays;
    float level; // eigenvalue of noise
    vec3 energy; // overshoot, softness, root: see energy_function
    vec3 spread; // middle, softness, root: see spread_function
} params;

const int kDimensions = DIMENSIONS;
const uint kComponents = DIMENSIONS * (DIMENSIONS + 1) / 2;

// How much detail a structure this strong has: 0 of noise, 1 far above it, and less again where
// `energy.x` is above 0: (x^b / (x^(a + b) + 1))^(1 / j). (Granlund and Knutsson 1995, chapter 10.)
float energy_function(float strength) {
    const float kFar = 1e6;
    float x = params.level > 0.0 ? min(strength / params.level, kFar) : kFar;
    float sum = params.energy.x + params.energy.y;
    // Above 1 the same by negative powers, none of which overflows.
    float m = x < 1.0 ? pow(x, params.energy.y) / (pow(x, sum) + 1.0)
                      : pow(x, -params.energy.x) / (1.0 + pow(x, -sum));
    return pow(m, 1.0 / params.energy.z);
}

// How much of the detail along the next axis is structure too: 0 of a plane, 1 of equal
// eigenvalues; a half at the middle.
float spread_function(float ratio) {
    float x = clamp(ratio, 0.0, 1.0);
    float up = pow(x * (1.0 - params.spread.x), params.spread.y);
    float down = pow(params.spread.x * (1.0 - x), params.spread.y);
    return up + down > 0.0 ? pow(up / (up + down), 1.0 / params.spread.z) : 1.0;
}

mat4 control_tensor(mat4 t) {
    vec4 eigenvalues;
    mat4 vectors;
    eigen(t, kDimensions, eigenvalues, vectors);
    eigenvalues = max(eigenvalues, 0.0);
    float gain = energy_function(eigenvalues[0]);
    mat4 control = gain * outerProduct(vectors[0], vectors[0]);
    for (int k = 1; k < kDimensions; ++k) {
        float before = eigenvalues[k - 1];
        gain *= before > 0.0 ? spread_function(eigenvalues[k] / before) : 0.0;
        control += gain * outerProduct(vectors[k], vectors[k]);
    }
    return control;
}

void main() {
    uint index = invocation_index();
    if (index >= params.places * params.arrays) return;
    uint array = index / params.places;
    uint place = index % params.places;
    uint from_tensor = array * kComponents * params.places + place;
    uint from = array * (kComponents + 1u) * params.places + place;

    mat4 t = mat4(0.0);
    uint component = 0u;
    for (int i = 0; i < kDimensions; ++i)
        for (int j = i; j < kDimensions; ++j) {
            float value = tensor.values[from_tensor + component * params.places];
            t[i][j] = value;
            t[j][i] = value;
            ++component;
        }
    mat4 control = control_tensor(t);
    float sum = responses.values[from];
    component = 1u;
    for (int i = 0; i < kDimensions; ++i)
        for (int j = i; j < kDimensions; ++j) {
            float share = i == j ? control[i][i] : control[i][j] + control[j][i];
            sum += share * responses.values[from + component * params.places];
            ++component;
        }
    result.values[index] = sum;
}
