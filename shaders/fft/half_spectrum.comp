#version 460
// Spectra of real numbers beside a transform that does not do it itself. split: the spectrum of 2n reals
// of that of their n pairs. join: the reverse, times 2. complete: all of a spectrum of its first half.
//! variants STEP=split,join,complete

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "real_pair.glsl"

layout(constant_id = 0) const uint has_multiplier = 0u;

readonly buffer Source { vec2 values[]; } source;
#if !STEP_complete
readonly buffer RealRoots { vec2 values[]; } real_roots; // exp(-pi i k / n)
#endif
#if !STEP_split
readonly buffer Multiplier { vec2 values[]; } multiplier;
#endif
writeonly buffer Result { vec2 values[]; } result;

uniform Params {
    uint count;        // numbers of all lines of the result
    uint line;   // n of pairs; of a whole spectrum
    uint source_pitch; // numbers of a line
    uint result_pitch;
    uint multiplier_count; // after so many numbers it is repeated
    uint multiplier_conjugate;
} params;

vec2 source_number(uint at) {
    vec2 number = source.values[at];
#if !STEP_split
    if (has_multiplier != 0u) {
        vec2 factor = multiplier.values[at % params.multiplier_count];
        number = times(number, params.multiplier_conjugate != 0u ? conjugate(factor) : factor);
    }
#endif
    return number;
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint k = index % params.result_pitch;
    uint first = index / params.result_pitch * params.source_pitch;
    uint mirrored = params.line - k;
#if STEP_split
    vec2 low = source_number(first + k % params.line);
    vec2 high = source_number(first + mirrored % params.line);
    result.values[index] = halved(low, high, real_roots.values[k]);
#elif STEP_join
    result.values[index] = joined(k, source_number(first + k), source_number(first + mirrored),
                                  real_roots.values[k]);
#else
    vec2 number = k < params.source_pitch ? source_number(first + k)
                                          : conjugate(source_number(first + mirrored));
    // Numbers that are their own conjugates are real.
    result.values[index] = k == 0u || k == mirrored ? vec2(number.x, 0.0) : number;
#endif
}
