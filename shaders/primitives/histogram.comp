#version 460
// Counts how often values fall into each bin. A group counts its share of the tiles in shared
// memory and adds the counts to the result at the end. Few bins have several counters each, so that
// invocations which meet the same value do not wait for each other.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    uint most;       // elements; of bytes, words
    uint max_groups; // that share the tiles
    uint bins;
    float low;       // lower end of bin 0, which counts
    float high;      // upper end of the last bin, which does not
} params;
#include "invocation.glsl"
#include "length.glsl"
#include "elements.glsl"
#include "tile.glsl"

readonly buffer Source { uvec4 quads[]; } source;
buffer Counts { uint words[]; } counts; // zero at the start

// 0: bins between low and high; 1: integers, each of which is a bin from low on; 2: each byte of a
// word is an element, and a bin
layout(constant_id = 8) const uint binning = 0u;
// Counters of each bin in shared memory, a power of two; 0: counts go to the result at once.
layout(constant_id = 9) const uint copies = 1u;

const uint kRange = 0u;
const uint kIntegers = 1u;
const uint kBytes = 2u;
const uint kCounters = 8192u; // 32 KiB

shared uint counters[kCounters];

void count_bin(uint bin) {
    // Counters of one bin lie side by side, in different banks.
    if (copies == 0u) atomicAdd(counts.words[bin], 1u);
    else atomicAdd(counters[bin * copies + (gl_LocalInvocationIndex & (copies - 1u))], 1u);
}

void count_element(uint bits) {
    if (binning == kBytes) {
        [[unroll]] for (uint shift = 0u; shift < 32u; shift += 8u) count_bin(bits >> shift & 0xffu);
        return;
    }
    if (binning == kIntegers) {
        // Below low the difference wraps to a large number.
        uint bin = bits - uint(int(params.low));
        if (bin < params.bins) count_bin(bin);
        return;
    }
    float value = element_type == kFloat  ? uintBitsToFloat(bits)
                  : element_type == kInt ? float(int(bits))
                                          : float(bits);
    // False for NaN.
    if (!is_nan(floatBitsToUint(value)) && value >= params.low && value < params.high) {
        float place = (value - params.low) / (params.high - params.low) * float(params.bins);
        count_bin(min(uint(place), params.bins - 1u)); // rounding may reach the upper end
    }
}

void main() {
    uint end = element_count(params.most);
    uint tiles = tiles_of(end, kTile);
    uint groups = clamp(tiles, 1u, params.max_groups);
    uint group = group_index();
    if (group >= groups) return;
    uint used = params.bins * copies;
    for (uint i = gl_LocalInvocationIndex; i < used; i += kGroup) counters[i] = 0u;
    barrier();

    for (uint tile = group; tile < tiles; tile += groups) {
        uint first_quad = tile * (kTile / 4u) + gl_LocalInvocationIndex;
        uvec4 quads[kQuads];
        [[unroll]] for (uint row = 0u; row < kQuads; ++row)
            quads[row] = source.quads[quad_within(first_quad + row * kGroup, end)];
        if ((tile + 1u) * kTile <= end) {
            [[unroll]] for (uint row = 0u; row < kQuads; ++row)
                [[unroll]] for (uint i = 0u; i < 4u; ++i) count_element(quads[row][i]);
        } else {
            [[unroll]] for (uint row = 0u; row < kQuads; ++row)
                [[unroll]] for (uint i = 0u; i < 4u; ++i)
                    if (4u * (first_quad + row * kGroup) + i < end) count_element(quads[row][i]);
        }
    }
    barrier();

    if (copies == 0u) return;
    for (uint bin = gl_LocalInvocationIndex; bin < params.bins; bin += kGroup) {
        uint sum = 0u;
        // Each invocation begins with another copy: no two of them are in one bank.
        for (uint i = 0u; i < copies; ++i)
            sum += counters[bin * copies + ((i + gl_LocalInvocationIndex) & (copies - 1u))];
        if (sum != 0u) atomicAdd(counts.words[bin], sum);
    }
}
