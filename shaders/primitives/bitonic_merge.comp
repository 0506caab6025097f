#version 460
// One step of a merge over more than a tile: an invocation compares two places. Places beyond the
// last element count as greater than all, and as all comparisons go upwards they never move.

layout(local_size_x = 256) in;

uniform Params {
    uint most;
    uint stride;   // between the places, or half of the block that is mirrored
    uint mirrored; // 1: the first step of the merge
} params;
#include "invocation.glsl"
#include "pairs.glsl"

buffer Pairs { Pair at[]; } pairs;

void main() {
    uint index = invocation_index();
    uint first = 2u * params.stride * (index / params.stride);
    uint offset = index % params.stride;
    uint low = first + offset;
    uint high = params.mirrored != 0u ? first + 2u * params.stride - 1u - offset
                                      : low + params.stride;
    if (high >= element_count(params.most)) return;
    Pair a = pairs.at[low];
    Pair b = pairs.at[high];
    if (!pair_before(b, a)) return;
    pairs.at[low] = b;
    pairs.at[high] = a;
}
