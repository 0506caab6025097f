#version 460
// Eigenvalues, main direction and anisotropy of the symmetric matrix of each place.
//! variants DIMENSIONS=2,3,4
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "symmetric.glsl"

readonly buffer Tensor { float values[]; } tensor;
writeonly buffer Values { float values[]; } values;
writeonly buffer Vector { float values[]; } vector;
writeonly buffer Anisotropy { float values[]; } anisotropy;

uniform Params {
    uint places; // of an array
    uint arrays;
} params;

const int kDimensions = DIMENSIONS;
const uint kComponents = DIMENSIONS * (DIMENSIONS + 1) / 2;

// So that its largest component is positive; the first of equal ones.
vec4 turned(vec4 direction) {
    float largest = direction.x;
    [[unroll]] for (int i = 1; i < kDimensions; ++i)
        if (abs(direction[i]) > abs(largest)) largest = direction[i];
    return largest < 0.0 ? -direction : direction;
}

float anisotropy_of(vec4 eigenvalues) {
    float mean = 0.0;
    [[unroll]] for (int i = 0; i < kDimensions; ++i)
        mean += eigenvalues[i] / float(kDimensions);
    vec4 difference = vec4(0.0);
    [[unroll]] for (int i = 0; i < kDimensions; ++i)
        difference[i] = eigenvalues[i] - mean;
    float norm = length(eigenvalues);
    if (norm == 0.0) return 0.0;
    return sqrt(float(kDimensions) / float(kDimensions - 1)) * length(difference) / norm;
}

void main() {
    uint index = invocation_index();
    if (index >= params.places * params.arrays) return;
    uint array = index / params.places;
    uint place = index % params.places;
    uint from = array * kComponents * params.places + place;

    mat4 a = mat4(0.0);
    uint component = 0u;
    [[unroll]] for (int i = 0; i < kDimensions; ++i)
        [[unroll]] for (int j = i; j < kDimensions; ++j) {
            float value = tensor.values[from + component * params.places];
            a[i][j] = value;
            a[j][i] = value;
            ++component;
        }
    vec4 eigenvalues;
    mat4 vectors;
    eigen(a, kDimensions, eigenvalues, vectors);
    vec4 direction = turned(vectors[0]);
    uint to = array * uint(kDimensions) * params.places + place;
    [[unroll]] for (int i = 0; i < kDimensions; ++i) {
        values.values[to + uint(i) * params.places] = eigenvalues[i];
        vector.values[to + uint(i) * params.places] = direction[i];
    }
    anisotropy.values[index] = anisotropy_of(eigenvalues);
}
