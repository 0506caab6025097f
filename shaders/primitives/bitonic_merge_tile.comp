#version 460
// The last steps of a merge, in shared memory: those that stay within a tile.

uniform Params {
    uint most;
} params;
#include "bitonic_tile.glsl"

buffer Pairs { Pair at[]; } pairs;

void main() {
    uint first = group_index() * kTile;
    uint count = element_count(params.most);
    if (first >= count) return;
    for (uint i = gl_LocalInvocationIndex; i < kTile; i += gl_WorkGroupSize.x)
        tile[i] = first + i < count ? pairs.at[first + i] : padding(first + i);
    barrier();
    for (uint stride = kTile / 2u; stride > 0u; stride /= 2u) compare_strided(stride);
    for (uint i = gl_LocalInvocationIndex; i < kTile; i += gl_WorkGroupSize.x)
        if (first + i < count) pairs.at[first + i] = tile[i];
}
