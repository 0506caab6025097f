#version 460
// Copies a result of a network, without what lies beyond its border, among the outputs of its array.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

readonly buffer Source { float values[]; } source;
buffer Result { float values[]; } result; // keeps the other outputs

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 first;
    uint chosen;
    uint outputs;
    uint count;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint results = count_of(params.result_size);
    uint array = index / results;
    uvec4 place = place_of(index % results, params.result_size) + params.first;
    result.values[(array * params.outputs + params.chosen) * results + index % results] =
        source.values[array * count_of(params.size) + index_of(place, params.size)];
}
