#version 460
// The tensor of local structure of each place, out of filter responses: component by component of
// its upper triangle.
//! variants METHOD=quadrature,monomial,gradient DIMENSIONS=2,3,4

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "structure.glsl"

readonly buffer Responses { float values[]; } responses;
writeonly buffer Tensor { float values[]; } tensor;

uniform Params {
    uint places; // of an array
    uint arrays;
#if METHOD_quadrature
    float alpha; // of a direction n: |q| (alpha n n^T - beta I)
    float beta;
    vec4 directions[12];
#endif
} params;

const uint kDimensions = DIMENSIONS;
const uint kComponents = kDimensions * (kDimensions + 1u) / 2u;
#if METHOD_quadrature
const uint kPairs = DIMENSIONS == 2 ? 4u : DIMENSIONS == 3 ? 6u : 12u;
const uint kFilters = 2u * kPairs;
#elif METHOD_monomial
const uint kFilters = kDimensions + kComponents;
#else
const uint kFilters = kDimensions;
#endif

void main() {
    uint index = invocation_index();
    if (index >= params.places * params.arrays) return;
    uint array = index / params.places;
    uint place = index % params.places;
    uint from = array * kFilters * params.places + place;
    uint to = array * kComponents * params.places + place;

#if METHOD_quadrature
    mat4 t = mat4(0.0);
    for (uint k = 0u; k < kPairs; ++k) {
        vec2 q = vec2(responses.values[from + 2u * k * params.places],
                      responses.values[from + (2u * k + 1u) * params.places]);
        t += quadrature_part(q, params.directions[k], params.alpha, params.beta);
    }
#else
    vec4 first = vec4(0.0);
    for (uint i = 0u; i < kDimensions; ++i)
        first[i] = responses.values[from + i * params.places];
#if METHOD_monomial
    mat4 second = mat4(0.0);
    uint filter_number = kDimensions;
    for (uint i = 0u; i < kDimensions; ++i)
        for (uint j = i; j < kDimensions; ++j) {
            float value = responses.values[from + filter_number * params.places];
            second[i][j] = value;
            second[j][i] = value;
            ++filter_number;
        }
    mat4 t = monomial_tensor(first, second);
#else
    mat4 t = outerProduct(first, first);
#endif
#endif

    uint component = 0u;
    for (uint i = 0u; i < kDimensions; ++i)
        for (uint j = i; j < kDimensions; ++j) {
            tensor.values[to + component * params.places] = t[i][j];
            ++component;
        }
}
