#version 460
// Transforms of lines of real numbers into as many real numbers, two lines as the real and imaginary
// parts of one: sums with cosines (or sines), or Hartley's with both. With V the Fourier transform of a
// line, whose numbers cosines take in the order 0 2 4 ... 5 3 1, they are
//     Y[k] = (p V[k] + conj(p) V[N - k]) / 2,  p = exp(-pi i k / 2N), or 1 + i for Hartley's,
// and back V[k] = conj(p) (Y[k] - i Y[N - k]), or (conj(p) Y[k] + p Y[N - k]) / 2. (Makhoul 1980.)
// Sines are the cosines of a line with every other sign turned, in the opposite order.
//
// Traffic: 4 bytes read and 4 written a number. PAIRS: the two lines are neighbours in memory.
//! variants STEP=forward,back,solve PAIRS=0,1
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "steps.glsl"

layout(constant_id = 14) const uint cosines = 1u; // 0: Hartley's

#if PAIRS
readonly buffer Source { vec2 values[]; } source;
#else
readonly buffer Source { float values[]; } source;
#endif
#if STEP_solve
// -laplace of the modes of the line's axis, and of the two others.
readonly buffer Eigenvalues { float values[]; } eigenvalues;
#endif
readonly buffer HalfTurns { vec2 values[]; } half_turns; // p of cosines, of k from 0 to N
#if PAIRS
writeonly buffer Result { vec2 values[]; } result;
#else
writeonly buffer Result { float values[]; } result;
#endif

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

#if PAIRS
vec2 read_pair(Pair own, uint place) {
    uint at = own.first.x / 2u + place * (params.inner / 2u);
    return own.count > 0u ? source.values[at] : vec2(0.0);
}

void write_pair(Pair own, uint place, vec2 numbers) {
    uint at = own.first.x / 2u + place * (params.inner / 2u);
    if (own.count > 0u) result.values[at] = params.scale * numbers;
}
#else
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
#endif

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

// Y[k] and Y[N - k] of V[k] and V[N - k].
void sum_both(vec2 p, inout vec2 low, inout vec2 high) {
    vec2 turned = times(p, low);
    vec2 other = times(conjugate(p), high);
    // p[N - k] of cosines is -i conj(p[k]).
    high = cosines != 0u ? 0.5 * times_i(turned - other)
                         : 0.5 * (times(p, high) + times(conjugate(p), low));
    low = 0.5 * (turned + other);
}
// The reverse.
void unsum_both(vec2 p, inout vec2 low, inout vec2 high) {
    vec2 before = low;
    if (cosines != 0u) {
        vec2 turned = times_i(high);
        low = times(conjugate(p), before - turned);
        high = times(p, before + turned);
    } else {
        low = 0.5 * (times(conjugate(p), low) + times(p, high));
        high = 0.5 * (times(conjugate(p), high) + times(p, before));
    }
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

#if STEP_solve
vec2 line_eigenvalues; // of the two lines, where invocations have mirrored frequencies
#endif

// What becomes of frequencies k and N - k, which both may be the same.
void change_both(uint k, inout vec2 low, inout vec2 high) {
    vec2 p = factor(k);
#if !STEP_back
    sum_both(p, low, high);
#endif
#if STEP_solve
    low *= inverse_eigenvalues(k, line_eigenvalues);
    high *= inverse_eigenvalues(line - k, line_eigenvalues);
#endif
#if !STEP_forward
    unsum_both(p, low, high);
    low = low.yx; // real and imaginary parts swapped, for the way back
    high = high.yx;
#endif
}
void change_one(uint k, inout vec2 number) {
#if !STEP_back
    if (k != 0u) number = summed(k, number, number);
#endif
#if STEP_solve
    number *= inverse_eigenvalues(k, line_eigenvalues);
#endif
#if !STEP_forward
    number = unsummed(k, number, number).yx;
#endif
}

// In the first two butterflies of invocation 0, frequencies are mirrored within each.
void change_own() {
    change_one(0u, value[0]);
    [[unroll]] for (uint k = 1u; 2u * k <= last_radix; ++k) {
        if (2u * k == last_radix) change_one(frequency(0u, k), value[k]);
        else change_both(frequency(0u, k), value[k], value[last_radix - k]);
    }
    [[unroll]] for (uint k = 0u; 2u * k + 1u <= last_radix; ++k) {
        if (2u * k + 1u == last_radix) change_one(frequency(1u, k), value[last_radix + k]);
        else change_both(frequency(1u, k), value[last_radix + k], value[2u * last_radix - 1u - k]);
    }
}
// Where invocations have mirrored frequencies.
void change_pairs() {
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); b += 2u) {
        if (b == 0u && worker == 0u) {
            change_own();
            continue;
        }
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            change_both(frequency(b, k), value[b * last_radix + k],
                        value[(b + 2u) * last_radix - 1u - k]);
    }
}

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

#if STEP_back
void make_numbers(Pair own) {
    if (mirrored == 0u) {
        [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
            [[unroll]] for (uint k = 0u; k < radix0; ++k)
                if (has_butterfly(radix0, b))
                    value[b * radix0 + k] = load_pair(own, place_before(radix0, b, k));
        transform_lines();
        store_numbers(own, last_radix);
        return;
    }
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            value[b * last_radix + k] = read_pair(own, sum_at(frequency(b, k)));
    change_pairs();
    transform_back();
    store_numbers(own, radix0);
}
#else
void transform_numbers(Pair own) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                value[b * radix0 + k] = load_pair(own, place_before(radix0, b, k));
    transform_lines();
}
#endif

#if STEP_forward
void store_sums(Pair own) {
    if (mirrored == 0u) {
        share_transforms();
        for (uint k = worker; k < line; k += workers)
            write_pair(own, sum_at(k), summed(k, exchanged[slot(k)], exchanged[slot(opposite(k))]));
        return;
    }
    change_pairs();
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            write_pair(own, sum_at(frequency(b, k)), value[b * last_radix + k]);
}
#endif

void main() {
    take_places(load_by_columns);
    Pair own = own_pair();
#if STEP_back
    make_numbers(own);
#else
    transform_numbers(own);
#if STEP_forward
    store_sums(own);
#else
    if (mirrored != 0u) {
        uint index = 2u * (group_index() * columns + column);
        line_eigenvalues = vec2(eigenvalue_of_line(index), eigenvalue_of_line(index + 1u));
        change_pairs();
    } else {
        solve_modes();
    }
    transform_back();
    store_numbers(own, radix0);
#endif
#endif
}
