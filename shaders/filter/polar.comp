#version 460
// Magnitude and phase of even and odd responses: arrays of 2 K become arrays of K.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Responses { float values[]; } responses;
writeonly buffer Magnitude { float values[]; } magnitude;
writeonly buffer Phase { float values[]; } phase;

uniform Params {
    uint places;  // of an array
    uint results; // numbers of each output
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.results) return;
    uint even = index / params.places * 2u * params.places + index % params.places;
    vec2 q = vec2(responses.values[even], responses.values[even + params.places]);
    magnitude.values[index] = length(q);
    // atan of two zeros is undefined.
    phase.values[index] = q == vec2(0.0) ? 0.0 : atan(q.y, q.x);
}
