#version 460
// Fourier transforms of lines, or one pass of those of lines that are longer than a group can keep:
// such a line of N numbers is transformed as one of Stockham's steps transforms its own, with a
// transform of `line` numbers in place of a butterfly. It takes numbers N / line apart and leaves them
// `span` apart, the product of the lengths of the passes before.
//
// Traffic: 8 bytes read and 8 written a number, but for those that are zero or not wanted.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256, local_size_x_id = 0) in;
#include "invocation.glsl"
#include "fft/steps.glsl"
#include "real_pair.glsl"

// Even lines of real numbers are transformed as half as many complex ones: in the first pass of an
// inverse transform these are made of half a spectrum, and at the end of a forward one they become one.
layout(constant_id = 14) const uint join_reals = 0u;
layout(constant_id = 15) const uint split_reals = 0u;
layout(constant_id = 16) const uint has_multiplier = 0u;
layout(constant_id = 17) const uint has_long_roots = 0u;
layout(constant_id = 18) const uint has_load_factors = 0u;
layout(constant_id = 19) const uint has_store_factors = 0u;
layout(constant_id = 20) const uint has_real_roots = 0u;

readonly buffer Source { vec2 values[]; } source;
readonly buffer Multiplier { vec2 values[]; } multiplier;
readonly buffer LoadFactors { vec2 values[]; } load_factors;
readonly buffer StoreFactors { vec2 values[]; } store_factors;
readonly buffer RealRoots { vec2 values[]; } real_roots; // exp(-pi i k / line)
// exp(-2 pi i k / (span * line)): for the low bits of k, then for the others.
readonly buffer LongRoots { vec2 values[]; } long_roots;
writeonly buffer Result { vec2 values[]; } result;

uniform Params {
    uint lines;         // of this pass
    uint inner;         // numbers from one of an axis to the next
    uint span;          // product of the lengths of the passes before
    uint repeats;       // lines of an axis / span
    uint source_length; // of the axis: what lies beyond is 0
    uint result_length; // what lies beyond is not wanted
    uint source_pitch;  // numbers from one axis to the next, where `inner` are done
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
    uint at = own.outer * params.source_pitch + place * params.inner + own.within;
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
    if (join_reals != 0u)
        number = joined(place, number, source_number(own, line - place), real_roots.values[place]);
    number = swapped_if(params.swap_source, number);
    if (has_load_factors != 0u) number = times(number, load_factors.values[place]);
    if (has_long_roots != 0u) {
        uint power = own.phase * k;
        uint low = power & ((1u << params.long_bits) - 1u);
        uint high = (1u << params.long_bits) + (power >> params.long_bits);
        number = times(number, times(long_roots.values[low], long_roots.values[high]));
    }
    return number;
}

void store_number(Line own, uint k, vec2 number) {
    uint place = own.phase + params.span * (k + line * own.repeat);
    if (!own.exists || place >= params.result_length) return;
    number = swapped_if(params.swap_before_factors, number);
    if (has_store_factors != 0u) number = times(number, store_factors.values[place]);
    number = swapped_if(params.swap_result, number);
    uint at = own.outer * params.result_pitch + place * params.inner + own.within;
    result.values[at] = params.scale * number;
}

// The transform of the reals that the line holds in pairs: `line + 1` numbers.
void store_split(Line own) {
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

void main() {
    take_places(load_by_columns);
    Line own = own_line();
    [[unroll]] for (uint b = 0u; b < butterflies_of(radix0); ++b)
        [[unroll]] for (uint k = 0u; k < radix0; ++k)
            if (has_butterfly(radix0, b))
                value[b * radix0 + k] = load_number(own, place_before(radix0, b, k));
    transform_lines();
    own = own_line(); // places may have changed
    if (split_reals != 0u) {
        store_split(own);
        return;
    }
    [[unroll]] for (uint b = 0u; b < butterflies_of(last_radix); ++b)
        [[unroll]] for (uint k = 0u; k < last_radix; ++k)
            if (has_butterfly(last_radix, b))
                store_number(own, place_after(last_radix, kLastSpan, b, k),
                             value[b * last_radix + k]);
}
