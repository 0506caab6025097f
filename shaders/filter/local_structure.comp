#version 460
// The tensor of local structure straight from the numbers: each is read once for all filters, whose
// responses stay in registers.
//! variants METHOD=quadrature,monomial DIMENSIONS=2,3,4

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "border.glsl"
#include "structure.glsl"

layout(constant_id = 0) const uint border = 0u;

readonly buffer Source { float values[]; } source;
// Of all filters, tap by tap in the order of reading.
readonly buffer Weights { vec4 list[]; } weights;
writeonly buffer Tensor { float values[]; } tensor;

uniform Params {
    uvec4 source_size;
    uvec4 result_size;
    uvec4 first; // place of the source that the first result is for
    uvec4 kernel_size;
    uint places; // results of an array
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
#else
const uint kFilters = kDimensions + kComponents;
#endif
const uint kFours = (kFilters + 3u) / 4u;

vec4 sums[kFours]; // of the filters, in fours

// Adds a row of the kernel, whose first weights are `tap`, times the row that begins at `row`.
void add_row(int corner, uint row, uint tap) {
    for (uint x = 0u; x < params.kernel_size.x; ++x) {
        uint at = place_read(border, corner + int(x), params.source_size.x);
        if (at == kNowhere) continue;
        float value = source.values[row + at];
        for (uint k = 0u; k < kFours; ++k)
            sums[k] += value * weights.list[(tap + x) * kFours + k];
    }
}

void add_all(ivec4 corner, uint array) {
    uvec4 size = params.source_size;
    uint tap = 0u;
    for (uint w = 0u; w < params.kernel_size.w; ++w)
        for (uint z = 0u; z < params.kernel_size.z; ++z)
            for (uint y = 0u; y < params.kernel_size.y; ++y) {
                uint at_w = place_read(border, corner.w + int(w), size.w);
                uint at_z = place_read(border, corner.z + int(z), size.z);
                uint at_y = place_read(border, corner.y + int(y), size.y);
                uint slice = (array * size.w + at_w) * size.z + at_z;
                if (at_w != kNowhere && at_z != kNowhere && at_y != kNowhere)
                    add_row(corner.x, (slice * size.y + at_y) * size.x, tap);
                tap += params.kernel_size.x;
            }
}

float response(uint filter_number) {
    return sums[filter_number / 4u][filter_number % 4u];
}

mat4 tensor_of_sums() {
#if METHOD_quadrature
    mat4 t = mat4(0.0);
    for (uint k = 0u; k < kPairs; ++k)
        t += quadrature_part(vec2(response(2u * k), response(2u * k + 1u)), params.directions[k],
                             params.alpha, params.beta);
    return t;
#else
    vec4 first = vec4(0.0);
    mat4 second = mat4(0.0);
    for (uint i = 0u; i < kDimensions; ++i)
        first[i] = response(i);
    uint filter_number = kDimensions;
    for (uint i = 0u; i < kDimensions; ++i)
        for (uint j = i; j < kDimensions; ++j) {
            second[i][j] = response(filter_number);
            second[j][i] = second[i][j];
            ++filter_number;
        }
    return monomial_tensor(first, second);
#endif
}

void main() {
    uint index = invocation_index();
    if (index >= params.places * params.arrays) return;
    uint array = index / params.places;
    uint place = index % params.places;
    uvec4 at;
    uint rest = place;
    at.x = rest % params.result_size.x;
    rest /= params.result_size.x;
    at.y = rest % params.result_size.y;
    rest /= params.result_size.y;
    at.z = rest % params.result_size.z;
    at.w = rest / params.result_size.z;

    for (uint k = 0u; k < kFours; ++k)
        sums[k] = vec4(0.0);
    add_all(ivec4(params.first + at) - ivec4(params.kernel_size / 2u), array);
    mat4 t = tensor_of_sums();
    uint to = array * kComponents * params.places + place;
    uint component = 0u;
    for (uint i = 0u; i < kDimensions; ++i)
        for (uint j = i; j < kDimensions; ++j) {
            tensor.values[to + component * params.places] = t[i][j];
            ++component;
        }
}
