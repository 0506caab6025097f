#version 460
// What quadrature filters of two images say about the displacement at each number. The phase of each
// direction n turns by the frequency times the displacement along n; a direction counts as much as both
// images answer it, and less where their phases differ much. The least-squares equations A d = b of
// sum of c (n d - turned / frequency)^2: A = sum of c n n^T, b = sum of c n turned / frequency.
//
// The result has arrays one behind the other: the upper triangle of A by rows, then b.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer FixedAnswers { float values[]; } fixed_answers; // even and odd of each direction
readonly buffer MovingAnswers { float values[]; } moving_answers;
writeonly buffer Result { float values[]; } result;

uniform Params {
    vec4 directions[6];
    uint direction_count;
    uint axes;
    uint count;
    float frequency; // radians a number
} params;

// The phase of `a` less that of `b`, and how much it counts: 0 where either has no phase.
vec2 turned(vec2 a, vec2 b) {
    vec2 product = vec2(dot(a, b), a.y * b.x - a.x * b.y); // a times b conjugated
    float size = length(product);
    if (!(size > 1e-30) || isinf(size)) return vec2(0.0);
    float cosine = product.x / size;
    // cos^2 of half the angle; the root of the product of magnitudes.
    return vec2(atan(product.y, product.x), sqrt(size) * (0.5 + 0.5 * cosine));
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    float matrix[6] = float[6](0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    vec3 right = vec3(0.0);
    for (uint k = 0u; k < params.direction_count; ++k) {
        uint even = 2u * k * params.count + index;
        uint odd = even + params.count;
        vec2 phase = turned(vec2(fixed_answers.values[even], fixed_answers.values[odd]),
                            vec2(moving_answers.values[even], moving_answers.values[odd]));
        vec3 n = params.directions[k].xyz;
        uint entry = 0u;
        for (uint i = 0u; i < params.axes; ++i)
            for (uint j = i; j < params.axes; ++j)
                matrix[entry++] += phase.y * n[i] * n[j];
        right += phase.y * phase.x / params.frequency * n;
    }
    uint entries = params.axes * (params.axes + 1u) / 2u;
    for (uint i = 0u; i < entries; ++i)
        result.values[i * params.count + index] = matrix[i];
    for (uint i = 0u; i < params.axes; ++i)
        result.values[(entries + i) * params.count + index] = right[i];
}
