#version 460
// Fourier transforms of lines, or one pass of those of lines that are longer than a group can keep:
// such a line of N numbers is transformed as one of Stockham's steps transforms its own, with a
// transform of `line` numbers in place of a butterfly. It takes numbers N / line apart and leaves them
// `span` apart, the product of the lengths of the passes before.
//
// Traffic: 8 bytes read and 8 written a number, but for those that are zero or not wanted.
//! variants REALS=0,1
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "steps.glsl"
#include "real_pair.glsl"

#if REALS
// Even lines of real numbers are transformed as half as many complex ones: in the first pass of an
// inverse transform these are made of half a spectrum, and at the end of a forward one they become one.
layout(constant_id = 14) const uint join_reals = 0u;
layout(constant_id = 15) const uint split_reals = 0u;
#endif
layout(constant_id = 16) const uint has_multiplier = 0u;
layout(constant_id = 17) const uint has_long_roots = 0u;
layout(constant_id = 33) const uint whole_table = 0u; // of long roots: one for all k
layout(constant_id = 18) const uint has_load_factors = 0u;
layout(constant_id = 19) const uint has_store_factors = 0u;
layout(constant_id = 34) const uint has_source_places = 0u;
layout(constant_id = 35) const uint has_result_places = 0u;

readonly buffer Source { vec2 values[]; } source;
readonly buffer Multiplier { vec2 values[]; } multiplier;
readonly buffer LoadFactors { vec2 values[]; } load_factors;
readonly buffer StoreFactors { vec2 values[]; } store_factors;
#if REALS
readonly buffer RealRoots { vec2 values[]; } real_roots; // exp(-pi i k / line)
#endif
// exp(-2 pi i k / (span * line)): for the low bits of k, then for the others.
readonly buffer LongRoots { vec2 values[]; } long_roots;
writeonly buffer Result { vec2 values[]; } result;
// Of each place along the axis where the first line's number is, and numbers from one axis to the next.
readonly buffer SourcePlaces { uvec2 list[]; } source_places;
readonly buffer ResultPlaces { uvec2 list[]; } result_places;

uniform Params {
    uint lines;         // of this pass
    uint inner;         // axes side by side
    uint span;          // product of the lengths of the passes before
    uint repeats;       // lines of an axis / span
    uint source_length; // of the axis: what lies beyond is 0
    uint result_length; // what lies beyond is not wanted
    uint source_first;  // where the first number is, unless there is a list of places
    uint source_step;   // numbers from one of an axis to the next
    uint source_pitch;  // and from one axis to the next, where `inner` are done
    uint result_first;
    uint result_step;
    uint result_pitch;
    uint multiplier_count; // after so many numbers it is repeated
    uint multiplier_conjugate;
    uint long_bits;    // of k, that are low
    uint swap_source;  // the inverse is the transform with real and imaginary parts swapped
    uint swap_before_factors;
    uint swap_result;
    float scale;
} params;

struct Line {
    bool exists;
    uint within; // where it is among `inner`
    uint phase;  // among `span`
    uint repeat;
    uint outer;
};

Line own_line() {
    uint index = group_index() * columns + column;
    uint axis_line = index / params.inner;
    uint axis_repeat = axis_line / params.span;
    return Line(index < params.lines, index % params.inner, axis_line % params.span,
                axis_repeat % params.repeats, axis_repeat / params.repeats);
}

vec2 swapped_if(uint swap, vec2 number) {
    return swap != 0u ? number.yx : number;
}

vec2 source_number(Line own, uint place) {
    uvec2 there = has_source_places != 0u
                      ? source_places.list[place]
                      : uvec2(params.source_first + place * params.source_step, params.source_pitch);
    uint at = there.x + own.outer * there.y + own.within;
    vec2 number = source.values[at];
    if (has_multiplier != 0u) {
        vec2 factor = multiplier.values[at % params.multiplier_count];
        number = times(number, params.multiplier_conjugate != 0u ? conjugate(factor) : factor);
    }
    return number;
}

vec2 load_number(Line own, uint k) {
    uint place = own.phase + params.span * (own.repeat + params.repeats * k);
    if (!own.exists || place >= params.source_length) return vec2(0.0);
    vec2 number = source_number(own, place);
#if REALS
    if (join_reals != 0u)
        number = joined(place, number, source_number(own, line - place), real_roots.values[place]);
#endif
    number = swapped_if(params.swap_source, number);
    if (has_load_factors != 0u) number = times(number, load_factors.values[place]);
    return number;
}

vec2 long_root(uint power) {
    if (whole_table != 0u) return long_roots.values[power];
    uint low = power & ((1u << params.long_bits) - 1u);
    uint high = (1u << params.long_bits) + (power >> params.long_bits);
    return times(long_roots.values[low], long_roots.values[high]);
}

// Value k of a butterfly is turned by root(phase * place), which is that of the first value's place
// times that of k distances.
void turn_by_long_roots(Line own) {
    vec2 root[16];
    [[unroll]] for (uint k = 1u; k < radix0; ++k) {
        uint coarse = k & ~3u;
        root[k] = coarse != 0u && coarse != k ? times(root[coarse], root[k - coarse])
                                              : long_root(own.phase * (line / radix0 * k));
    }
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b) {
        if (!has_butterfly(radix0, b)) continue;
        vec2 first = long_root(own.phase * place_before(radix0, b, 0u));
        value[b * radix0] = times(value[b * radix0], first);
        [[unroll]] for (uint k = 1u; k < radix0; ++k)
            value[b * radix0 + k] = times(value[b * radix0 + k], times(first, root[k]));
    }
}

void store_number(Line own, uint k, vec2 number) {
    uint place = own.phase + params.span * (k + line * own.repeat);
    if (!own.exists || place >= params.result_length) return;
    number = swapped_if(params.swap_before_factors, number);
    if (has_store_factors != 0u) number = times(number, store_factors.values[place]);
    number = swapped_if(params.swap_result, number);
    uvec2 there = has_result_places != 0u
                      ? result_places.list[place]
                      : uvec2(params.result_first + place * params.result_step, params.result_pitch);
    uint at = there.x + own.outer * there.y + own.within;
    result.values[at] = params.scale * number;
}

void store_lines(Line own, uint radix) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix); ++b)
        [[unroll]] for (uint k = 0u; k < radix; ++k)
            if (has_butterfly(radix, b))
                store_number(own, place_after(radix, line / radix, b, k), value[b * radix + k]);
}

#if REALS
// The transform of the reals that the line holds in pairs: `line + 1` numbers.
void store_split_whole(Line own) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            if (has_butterfly(last_radix, b))
                exchanged[slot(place_after(last_radix, kLastSpan, b, k))] =
                    value[b * last_radix + k];
    barrier();
    for (uint k = worker; k <= line; k += workers) {
        vec2 low = exchanged[slot(k == line ? 0u : k)];
        vec2 high = exchanged[slot(k == 0u ? 0u : line - k)];
        store_number(own, k, halved(low, high, real_roots.values[k]));
    }
}

// Does the same with real parts first, as exchange_parts does.
void store_split_parts(Line own) {
    const uint kEach = line / workers + 1u;
    vec2 low[kEach];
    vec2 high[kEach];
    [[unroll]] for (int part = 0; part < 2; ++part) {
        [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
            [[unroll]] for (uint k = 0u; k < last_radix; ++k)
                if (has_butterfly(last_radix, b))
                    exchanged_parts[slot(place_after(last_radix, kLastSpan, b, k))] =
                        value[b * last_radix + k][part];
        barrier();
        [[unroll]] for (uint i = 0u; i < kEach; ++i) {
            uint k = worker + i * workers;
            if (k > line) continue;
            low[i][part] = exchanged_parts[slot(k == line ? 0u : k)];
            high[i][part] = exchanged_parts[slot(k == 0u ? 0u : line - k)];
        }
        barrier();
    }
    [[unroll]] for (uint i = 0u; i < kEach; ++i) {
        uint k = worker + i * workers;
        if (k <= line) store_number(own, k, halved(low[i], high[i], real_roots.values[k]));
    }
}

// What becomes of frequencies k and -k, where an invocation has both.
void change_both(uint k, inout vec2 low, inout vec2 high) {
    vec2 root = real_roots.values[k];
    if (join_reals != 0u) join_both(low, high, root);
    else halve_both(low, high, root);
}
vec2 changed_middle(vec2 number) {
    return join_reals != 0u ? 2.0 * conjugate(number) : conjugate(number);
}
// In the first two butterflies of invocation 0, frequencies are mirrored within each. `last` is that
// of half the line.
void change_own(inout vec2 last) {
    change_both(0u, value[0], last);
    [[unroll]] for (uint k = 1u; 2u * k <= last_radix; ++k) {
        if (2u * k == last_radix) value[k] = changed_middle(value[k]);
        else change_both(frequency(0u, k), value[k], value[last_radix - k]);
    }
    [[unroll]] for (uint k = 0u; 2u * k + 1u <= last_radix; ++k) {
        uint low = last_radix + k;
        uint high = 2u * last_radix - 1u - k;
        if (low == high) value[low] = changed_middle(value[low]);
        else change_both(frequency(1u, k), value[low], value[high]);
    }
}
void change_pairs(inout vec2 last) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); b += 2u) {
        if (b == 0u && worker == 0u) {
            change_own(last);
            continue;
        }
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            change_both(frequency(b, k), value[b * last_radix + k],
                        value[(b + 2u) * last_radix - 1u - k]);
    }
}

// Neighbours store neighbours, so all go through here together.
void store_split_pairs(Line own) {
    vec2 last = value[0];
    change_pairs(last);
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            store_number(own, frequency(b, k), value[b * last_radix + k]);
    if (worker == 0u) store_number(own, line, last);
}

// The way back of a half spectrum, where an invocation has mirrored frequencies.
void transform_joined(Line own) {
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            value[b * last_radix + k] =
                own.exists ? source_number(own, frequency(b, k)) : vec2(0.0);
    vec2 last = vec2(0.0);
    if (worker == 0u && own.exists) {
        last = vec2(source_number(own, line).x, 0.0);
        value[0].y = 0.0;
    }
    change_pairs(last);
    [[unroll]] for (uint i = 0u; i < elements; ++i)
        value[i] = swapped_if(params.swap_source, value[i]);
    transform_back();
    store_lines(own, radix0);
}
#endif

void main() {
    take_places(load_by_columns);
    Line own = own_line();
#if REALS
    if (mirrored != 0u && join_reals != 0u) {
        transform_joined(own);
        return;
    }
#endif
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                value[b * radix0 + k] = load_number(own, place_before(radix0, b, k));
    if (has_long_roots != 0u) turn_by_long_roots(own);
    transform_lines();
    own = own_line(); // places may have changed
#if REALS
    if (split_reals != 0u) {
        if (mirrored != 0u) store_split_pairs(own);
        else if (by_parts != 0u) store_split_parts(own);
        else store_split_whole(own);
        return;
    }
#endif
    store_lines(own, last_radix);
}
