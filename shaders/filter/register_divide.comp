#version 460
// The field after its weighted numbers and their certainties were smoothed: one divided by the other.
// Where no certainty is near the field stays as it was.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Smoothed { float values[]; } smoothed; // by axis, then the certainty
readonly buffer Field { float values[]; } field;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint axes;
    uint count;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    float certainty = smoothed.values[params.axes * params.count + index];
    for (uint i = 0u; i < params.axes; ++i) {
        uint at = i * params.count + index;
        result.values[at] =
            certainty > 1e-20 ? smoothed.values[at] / certainty : field.values[at];
    }
}
