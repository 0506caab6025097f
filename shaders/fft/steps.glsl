// Transforms of lines that a group has in shared memory, by Stockham's method: a step of some radix
// takes values `line / radix` apart, and what it makes of them lies `span` apart, the product of the
// radices before it. The last step leaves the spectrum in natural order. Values stay in registers but
// for the exchange between two steps.
//
// A line has `workers` invocations, a group `columns` lines. Neighbours in the group have the same
// place of neighbouring lines, or neighbouring places of the same line: whichever neighbours in memory.
#include "fft/butterflies.glsl"

layout(constant_id = 1) const uint line = 1u;     // numbers in a line
layout(constant_id = 2) const uint workers = 1u;  // invocations of a line
layout(constant_id = 3) const uint columns = 1u;  // lines of a group
layout(constant_id = 4) const uint elements = 1u; // that an invocation keeps at most
layout(constant_id = 5) const uint radix0 = 1u;   // of the steps; 1: there is none
layout(constant_id = 6) const uint radix1 = 1u;
layout(constant_id = 7) const uint radix2 = 1u;
layout(constant_id = 8) const uint radix3 = 1u;
layout(constant_id = 9) const uint radix4 = 1u;
layout(constant_id = 10) const uint radix5 = 1u;
// Which neighbours an invocation's neighbours have before and after the first exchange.
layout(constant_id = 11) const uint load_by_columns = 0u;
layout(constant_id = 12) const uint store_by_columns = 0u;
layout(constant_id = 13) const uint last_radix = 1u;
// Real and imaginary parts are exchanged one after the other, which takes half the shared memory.
layout(constant_id = 30) const uint by_parts = 0u;
// Whether an invocation has the frequencies k and -k of a spectrum, in butterflies 2i and 2i + 1 of
// the last step there, which are those of the first step back: what needs both needs no exchange.
layout(constant_id = 31) const uint mirrored = 0u;

// Roots of unity: of the step behind `span`, the power j k for value k and butterfly j of `span`. First
// those of the steps in their order, then those of the steps in the opposite order.
readonly buffer Roots { vec2 values[]; } roots;

const uint kSharedPoints = (line * columns + 15u) / 16u * 16u;
shared vec2 exchanged[by_parts != 0u ? 1u : kSharedPoints];
shared float exchanged_parts[by_parts != 0u ? kSharedPoints : 1u];

vec2 value[elements];
uint column; // the line in the group
uint worker; // the invocation in the line

void take_places(uint by_columns) {
    uint own = gl_LocalInvocationIndex;
    column = by_columns != 0u ? own % columns : own / workers;
    worker = by_columns != 0u ? own / columns : own % workers;
}

uint butterflies_of(uint radix) {
    return (line / radix + workers - 1u) / workers;
}

// The invocation's butterfly number `b`; there may be none any more.
uint butterfly(uint b) {
    return worker + b * workers;
}
bool has_butterfly(uint radix, uint b) {
    return line / radix % workers == 0u || butterfly(b) < line / radix;
}

// The same of the last step there or the first one back, where `spectral`. Two that mirror one
// another are j and line / radix - j; 0 and the middle one mirror themselves and are a pair.
uint butterfly_of(bool spectral, uint radix, uint b) {
    if (mirrored == 0u || !spectral) return butterfly(b);
    uint low = butterfly(b / 2u);
    if (b % 2u == 0u) return low;
    return (low == 0u ? line / radix / 2u : line / radix) - low;
}
// The frequency of value k of a butterfly of these steps.
uint frequency(uint b, uint k) {
    return butterfly_of(true, last_radix, b) + k * (line / last_radix);
}

// Where the step reads and leaves value `k` of a butterfly.
uint place_before(bool spectral, uint radix, uint b, uint k) {
    return butterfly_of(spectral, radix, b) + k * (line / radix);
}
uint place_after(bool spectral, uint radix, uint span, uint b, uint k) {
    uint j = butterfly_of(spectral, radix, b);
    return j / span * span * radix + j % span + k * span;
}
uint place_before(uint radix, uint b, uint k) {
    return place_before(false, radix, b, k);
}
uint place_after(uint radix, uint span, uint b, uint k) {
    return place_after(false, radix, span, b, k);
}

// Rows of 16 numbers, which is what banks have, are permuted so that strides by powers of two do not
// always meet the same bank.
uint slot(uint place) {
    uint at = load_by_columns != 0u ? place * columns + column : column * line + place;
    return at ^ (at >> 4u & 15u);
}

void butterfly_at(uint radix, uint at) {
    if (radix == 2u) {
        butterfly_2(value[at], value[at + 1u]);
    } else if (radix == 3u) {
        butterfly_3(value[at], value[at + 1u], value[at + 2u]);
    } else if (radix == 4u) {
        butterfly_4(value[at], value[at + 1u], value[at + 2u], value[at + 3u]);
    } else if (radix == 5u) {
        butterfly_5(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u]);
    } else if (radix == 6u) {
        butterfly_6(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u],
                    value[at + 5u]);
    } else if (radix == 7u) {
        butterfly_7(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u],
                    value[at + 5u], value[at + 6u]);
    } else if (radix == 8u) {
        butterfly_8(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u],
                    value[at + 5u], value[at + 6u], value[at + 7u]);
    } else if (radix == 9u) {
        butterfly_9(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u],
                    value[at + 5u], value[at + 6u], value[at + 7u], value[at + 8u]);
    } else if (radix == 10u) {
        butterfly_10(value[at], value[at + 1u], value[at + 2u], value[at + 3u], value[at + 4u],
                     value[at + 5u], value[at + 6u], value[at + 7u], value[at + 8u],
                     value[at + 9u]);
    }
}

// A radix of 16 is two steps of 4.
void butterfly_16(uint at) {
    [[unroll]] for (uint b = 0u; b < 4u; ++b)
        butterfly_4(value[at + b], value[at + b + 4u], value[at + b + 8u], value[at + b + 12u]);
    const vec2 kRoot1 = vec2(kCosine16, -kSine16);
    const vec2 kRoot3 = vec2(kSine16, -kCosine16);
    value[at + 5u] = times(value[at + 5u], kRoot1);
    value[at + 6u] = kHalfRoot * (value[at + 6u] + times_minus_i(value[at + 6u]));
    value[at + 7u] = times(value[at + 7u], kRoot3);
    value[at + 9u] = kHalfRoot * (value[at + 9u] + times_minus_i(value[at + 9u]));
    value[at + 10u] = times_minus_i(value[at + 10u]);
    value[at + 11u] = kHalfRoot * (times_minus_i(value[at + 11u]) - value[at + 11u]);
    value[at + 13u] = times(value[at + 13u], kRoot3);
    value[at + 14u] = kHalfRoot * (times_minus_i(value[at + 14u]) - value[at + 14u]);
    value[at + 15u] = times(value[at + 15u], -kRoot1);
    [[unroll]] for (uint c = 0u; c < 16u; c += 4u)
        butterfly_4(value[at + c], value[at + c + 1u], value[at + c + 2u], value[at + c + 3u]);
    [[unroll]] for (uint c = 0u; c < 4u; ++c)
        [[unroll]] for (uint d = c + 1u; d < 4u; ++d)
            swap(value[at + 4u * c + d], value[at + 4u * d + c]);
}

// `roots_before`: of these steps.
void transform_step(bool spectral, uint radix, uint span, uint roots_before) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b) {
        if (!has_butterfly(radix, b)) continue;
        if (span > 1u) {
            uint phase = butterfly_of(spectral, radix, b) % span;
            // Of sixteen, six are read and the others are their products: reading is what takes time.
            vec2 root[16];
            [[unroll]] for (uint k = 1u; k < radix; ++k) {
                uint coarse = k & ~3u;
                bool product = radix == 16u && coarse != 0u && coarse != k;
                root[k] = product ? times(root[coarse], root[k - coarse])
                                  : roots.values[roots_before + (k - 1u) * span + phase];
                value[b * radix + k] = times(value[b * radix + k], root[k]);
            }
        }
        if (radix == 16u) butterfly_16(b * radix);
        else butterfly_at(radix, b * radix);
    }
}

// Hands what a step has left to the invocations that need it in the next.
void exchange_whole(bool from_spectral, uint radix, uint span, bool to_spectral, uint next_radix) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b)
        [[unroll]] for (uint k = 0u; k < radix; ++k)
            if (has_butterfly(radix, b))
                exchanged[slot(place_after(from_spectral, radix, span, b, k))] =
                    value[b * radix + k];
    barrier();
    take_places(store_by_columns);
    [[unroll]] for (uint b = 0u; b < butterflies_of(next_radix); ++b)
        [[unroll]] for (uint k = 0u; k < next_radix; ++k)
            if (has_butterfly(next_radix, b))
                value[b * next_radix + k] =
                    exchanged[slot(place_before(to_spectral, next_radix, b, k))];
    barrier();
}

void exchange_parts(bool from_spectral, uint radix, uint span, bool to_spectral, uint next_radix) {
    uint column_before = column;
    uint worker_before = worker;
    [[unroll]] for (int part = 0; part < 2; ++part) {
        column = column_before;
        worker = worker_before;
        [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b)
            [[unroll]] for (uint k = 0u; k < radix; ++k)
                if (has_butterfly(radix, b))
                    exchanged_parts[slot(place_after(from_spectral, radix, span, b, k))] =
                        value[b * radix + k][part];
        barrier();
        take_places(store_by_columns);
        [[unroll]] for (uint b = 0u; b < butterflies_of(next_radix); ++b)
            [[unroll]] for (uint k = 0u; k < next_radix; ++k)
                if (has_butterfly(next_radix, b))
                    value[b * next_radix + k][part] =
                        exchanged_parts[slot(place_before(to_spectral, next_radix, b, k))];
        barrier();
    }
}

void exchange(bool from_spectral, uint radix, uint span, bool to_spectral, uint next_radix) {
    if (by_parts != 0u) exchange_parts(from_spectral, radix, span, to_spectral, next_radix);
    else exchange_whole(from_spectral, radix, span, to_spectral, next_radix);
}

const uint kSpan2 = radix0 * radix1;
const uint kSpan3 = kSpan2 * radix2;
const uint kSpan4 = kSpan3 * radix3;
const uint kSpan5 = kSpan4 * radix4;
const uint kLastSpan = line / last_radix;

void next_step(uint radix, uint span, uint next_radix) {
    if (next_radix == 1u) return;
    bool last = span * radix * next_radix == line;
    exchange(false, radix, span, last, next_radix);
    transform_step(last, next_radix, span * radix, span * radix - radix0);
}

// All steps, on values as `place_before(radix0, ...)` has them; they end up as `place_after` of the
// last radix has them.
void transform_lines() {
    transform_step(false, radix0, 1u, 0u);
    next_step(radix0, 1u, radix1);
    next_step(radix1, radix0, radix2);
    next_step(radix2, kSpan2, radix3);
    next_step(radix3, kSpan3, radix4);
    next_step(radix4, kSpan4, radix5);
}

void step_back(uint radix, uint span, uint next_radix) {
    if (radix == 1u) return;
    exchange(span == 1u, radix, span, false, next_radix);
    transform_step(false, next_radix, span * radix, line - radix0 + span * radix - last_radix);
}

// The same steps in the opposite order, on values as the last one of `transform_lines` leaves them,
// which is how `place_before` of its radix has them. They end up as `place_after` of radix0 has them.
void transform_back() {
    transform_step(true, last_radix, 1u, 0u);
    step_back(radix5, line / (kSpan5 * radix5), radix4);
    step_back(radix4, line / kSpan5, radix3);
    step_back(radix3, line / kSpan4, radix2);
    step_back(radix2, line / kSpan3, radix1);
    step_back(radix1, line / kSpan2, radix0);
}
