#version 460
// Which lights reach into each slice of distance: a bit for each.

layout(local_size_x = 256) in;

#include "view.glsl"
#include "invocation.glsl"

readonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Bins { uint values[]; } bins; // [slice][word]

uint slice_count(vec4 terms) {
    return uint(terms.z);
}

uniform Params {
    uint count; // lights
    uint words; // of a slice
    vec4 bin_terms;
    float far;
} params;

void main() {
    uint i = invocation_index();
    if (i >= slice_count(params.bin_terms) * params.words) return;
    uint slice = i / params.words;
    uint first = i % params.words * 32u;
    const float kRounding = 1e-3; // of a slice
    uint bits = 0u;
    for (uint k = 0u; k < 32u && first + k < params.count; ++k) {
        vec4 ball = balls.values[first + k];
        float reach = ball.w + 4e-6 * abs(ball.z);
        if (!(ball.w > 0.0) || ball.z + reach < params.bin_terms.x || ball.z - reach > params.far)
            continue;
        // The ends of the ball, no nearer than the first slice and no farther than the last.
        float near = bin_place(ball.z - min(reach, 1e30), params.bin_terms) - kRounding;
        float far = bin_place(ball.z + min(reach, 1e30), params.bin_terms) + kRounding;
        if (float(slice + 1u) > near && float(slice) <= far) bits |= 1u << k;
    }
    bins.values[i] = bits;
}
