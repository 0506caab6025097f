#version 460
// Transforms of lines of real numbers into as many real numbers, two lines as the real and imaginary
// parts of one: sums with cosines (or sines), or Hartley's with both. With V the Fourier transform of a
// line, whose numbers cosines take in the order 0 2 4 ... 5 3 1, they are
//     Y[k] = (p V[k] + conj(p) V[N - k]) / 2,  p = exp(-pi i k / 2N), or 1 + i for Hartley's,
// and back V[k] = conj(p) (Y[k] - i Y[N - k]), or (conj(p) Y[k] + p Y[N - k]) / 2. (Makhoul 1980.)
// Sines are the cosines of a line with every other sign turned, in the opposite order.
//
// Traffic: 4 bytes read and 4 written a number.
//! variants STEP=forward,back,solve
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "fft/steps.glsl"

layout(constant_id = 14) const uint cosines = 1u; // 0: Hartley's

readonly buffer Source { float values[]; } source;
#if STEP_solve
// -laplace of the modes of the line's axis, and of the two others.
readonly buffer Eigenvalues { float values[]; } eigenvalues;
#endif
readonly buffer HalfTurns { vec2 values[]; } half_turns; // p of cosines, of k from 0 to N
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint lines;   // real ones
    uint inner;   // numbers from one of a line to the next
    uint sines;   // of cosines: whether every other sign is turned
    uint ordered; // of sines: whether they come in their own order, that of frequencies
    float scale;
#if STEP_solve
    uvec3 first_eigenvalues; // of the line's axis, of the fastest other one, of the slower other one
    uint fastest;            // modes of the fastest other axis
#endif
} params;

struct Pair {
    uint count; // of lines that there are
    uvec2 first; // number of each
};

uint first_of(uint index) {
    return index / params.inner * params.inner * line + index % params.inner;
}

Pair own_pair() {
    uint index = 2u * (group_index() * columns + column);
    uint count = index >= params.lines ? 0u : min(params.lines - index, 2u);
    return Pair(count, uvec2(first_of(index), first_of(index + 1u)));
}

vec2 read_pair(Pair own, uint place) {
    uint at = place * params.inner;
    return vec2(own.count > 0u ? source.values[own.first.x + at] : 0.0,
                own.count > 1u ? source.values[own.first.y + at] : 0.0);
}

void write_pair(Pair own, uint place, vec2 numbers) {
    uint at = place * params.inner;
    if (own.count > 0u) result.values[own.first.x + at] = params.scale * numbers.x;
    if (own.count > 1u) result.values[own.first.y + at] = params.scale * numbers.y;
}

// Which number of the line is at a place of what is transformed, and its sign.
uint number_at(uint place) {
    if (cosines == 0u) return place;
    return 2u * place < line ? 2u * place : 2u * (line - 1u - place) + 1u;
}
float sign_at(uint place) {
    return params.sines != 0u && 2u * place >= line ? -1.0 : 1.0;
}
// Where the sum of a frequency is.
uint sum_at(uint k) {
    return params.sines != 0u && params.ordered != 0u ? line - 1u - k : k;
}

vec2 factor(uint k) {
    return cosines != 0u ? half_turns.values[k] : vec2(1.0, 1.0);
}

// Y[k] of low = V[k] and high = V[N - k].
vec2 summed(uint k, vec2 low, vec2 high) {
    vec2 p = factor(k);
    return 0.5 * (times(p, low) + times(conjugate(p), high));
}

// V[k] of low = Y[k] and high = Y[N - k].
vec2 unsummed(uint k, vec2 low, vec2 high) {
    if (k == 0u) return low;
    vec2 p = factor(k);
    if (cosines != 0u) return times(conjugate(p), low - times_i(high));
    return 0.5 * (times(conjugate(p), low) + times(p, high));
}

uint opposite(uint k) {
    return k == 0u ? 0u : line - k;
}

#if !STEP_back
// Puts the transform of the lines where all of the group can read it.
void share_transforms() {
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            if (has_butterfly(last_radix, b))
                exchanged[slot(place_before(last_radix, b, k))] = value[b * last_radix + k];
    barrier();
}
#endif

#if STEP_solve
// 1 / the eigenvalue of a mode of both lines; 0 where that is 0.
vec2 inverse_eigenvalues(uint k, vec2 of_lines) {
    vec2 all = of_lines + eigenvalues.values[params.first_eigenvalues.x + k];
    return vec2(all.x > 0.0 ? 1.0 / all.x : 0.0, all.y > 0.0 ? 1.0 / all.y : 0.0);
}

float eigenvalue_of_line(uint index) {
    if (index >= params.lines) return 0.0;
    return eigenvalues.values[params.first_eigenvalues.y + index % params.fastest] +
           eigenvalues.values[params.first_eigenvalues.z + index / params.fastest];
}

// Divides all modes by their eigenvalues: real and imaginary parts swapped, for the way back.
void solve_modes() {
    uint index = 2u * (group_index() * columns + column);
    vec2 of_lines = vec2(eigenvalue_of_line(index), eigenvalue_of_line(index + 1u));
    share_transforms();
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint j = 0u; j < last_radix; ++j) {
            if (!has_butterfly(last_radix, b)) continue;
            uint k = place_before(last_radix, b, j);
            uint other = opposite(k);
            vec2 low = value[b * last_radix + j];
            vec2 high = exchanged[slot(other)];
            vec2 mode = summed(k, low, high) * inverse_eigenvalues(k, of_lines);
            vec2 mirrored = summed(other, high, low) * inverse_eigenvalues(other, of_lines);
            value[b * last_radix + j] = unsummed(k, mode, mirrored).yx;
        }
    barrier();
}
#endif

// As the transform takes it; on the way back real and imaginary parts swapped.
vec2 load_pair(Pair own, uint place) {
#if STEP_back
    vec2 low = read_pair(own, sum_at(place));
    if (place == 0u) return low.yx;
    return unsummed(place, low, read_pair(own, sum_at(line - place))).yx;
#else
    return sign_at(place) * read_pair(own, number_at(place));
#endif
}

#if !STEP_forward
// What the way back has left: `radix` is that of its last step.
void store_numbers(Pair own, uint radix) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b)
        [[unroll]] for (uint k = 0u; k < radix; ++k) {
            if (!has_butterfly(radix, b)) continue;
            uint place = place_after(radix, line / radix, b, k);
            write_pair(own, number_at(place), sign_at(place) * value[b * radix + k].yx);
        }
}
#endif

void main() {
    take_places(load_by_columns);
    Pair own = own_pair();
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                value[b * radix0 + k] = load_pair(own, place_before(radix0, b, k));
    transform_lines();
#if STEP_forward
    share_transforms();
    for (uint k = worker; k < line; k += workers)
        write_pair(own, sum_at(k), summed(k, exchanged[slot(k)], exchanged[slot(opposite(k))]));
#else
#if STEP_solve
    solve_modes();
    transform_back();
    store_numbers(own, radix0);
#else
    store_numbers(own, last_radix);
#endif
#endif
}
