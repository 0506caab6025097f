#version 460
// One small kernel of a network: its convolution of one result is, or is added to, another.
//! variants ADDS=0,1

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

layout(constant_id = 0) const uint border = 0u;

readonly buffer Source { float values[]; } source;
readonly buffer Kernel { float values[]; } kernel;
#if ADDS
buffer Result { float values[]; } result;
#else
writeonly buffer Result { float values[]; } result;
#endif

uniform Params {
    uvec4 size;
    uvec4 result_size;
    uvec4 kernel_size;
    uvec4 spread;
    ivec4 shift; // where the first weight meets the source for the first result
    uint first_weight;
    uint row_parts;
    uint count; // of parts of all rows
} params;

// An invocation makes some numbers of a row, which share weights and most of where numbers lie:
// kPart of them, kApart places from one to the next, so that neighbours read and write neighbours.
const uint kPart = 4u;
const uint kApart = 32u;
float sums[kPart];

// Adds the products of a weight: `from` is where the first number lies, in windows that are whole.
void add_whole(float weight, uint from) {
    for (uint i = 0u; i < kPart; ++i) sums[i] += weight * source.values[from + i * kApart];
}
void add_remapped(float weight, uint first, ivec4 place) {
    for (uint i = 0u; i < kPart; ++i) {
        uint at = index_read(border, place + ivec4(i * kApart, 0, 0, 0), params.size);
        if (at != kNowhere) sums[i] += weight * source.values[first + at];
    }
}

void add_taps(uint first, ivec4 corner) {
    uvec4 last = uvec4(corner) + (params.kernel_size - 1u) * params.spread;
    last.x += (kPart - 1u) * kApart;
    bool whole = all(greaterThanEqual(corner, ivec4(0))) && all(lessThan(last, params.size));
    uint tap = params.first_weight + count_of(params.kernel_size);
    uvec4 at;
    for (at.w = 0u; at.w < params.kernel_size.w; ++at.w)
        for (at.z = 0u; at.z < params.kernel_size.z; ++at.z)
            for (at.y = 0u; at.y < params.kernel_size.y; ++at.y)
                for (at.x = 0u; at.x < params.kernel_size.x; ++at.x) {
                    float weight = kernel.values[--tap];
                    if (weight == 0.0) continue;
                    ivec4 place = corner + ivec4(at * params.spread);
                    if (whole) add_whole(weight, first + index_of(uvec4(place), params.size));
                    else add_remapped(weight, first, place);
                }
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint part = index % params.row_parts;
    uint x = part / kApart * kApart * kPart + part % kApart;
    uint row = index / params.row_parts;
    uvec4 rest = place_of(row, uvec4(params.result_size.yzw, 1u)); // w: of the arrays
    ivec4 corner = ivec4(x, rest.xyz) + params.shift;
    for (uint i = 0u; i < kPart; ++i) sums[i] = 0.0;
    add_taps(rest.w * count_of(params.size), corner);
    for (uint i = 0u; i < kPart && x < params.result_size.x; ++i, x += kApart) {
        uint at = row * params.result_size.x + x;
#if ADDS
        result.values[at] += sums[i];
#else
        result.values[at] = sums[i];
#endif
    }
}
