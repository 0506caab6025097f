#version 460
// Sorts each tile of the keys, in shared memory.

uniform Params {
    uint most;
} params;
#include "bitonic_tile.glsl"

readonly buffer Keys { uint words[]; } keys;
writeonly buffer Pairs { Pair at[]; } pairs;

void main() {
    uint first = group_index() * kTile;
    uint count = element_count(params.most);
    if (first >= count) return;
    for (uint i = gl_LocalInvocationIndex; i < kTile; i += gl_WorkGroupSize.x) {
        uint index = first + i;
        tile[i] = index < count ? Pair(sort_key(keys.words[index]), index) : padding(index);
    }
    barrier();
    for (uint block = 2u; block <= kTile; block *= 2u) {
        compare_mirrored(block);
        for (uint stride = block / 4u; stride > 0u; stride /= 2u) compare_strided(stride);
    }
    for (uint i = gl_LocalInvocationIndex; i < kTile; i += gl_WorkGroupSize.x)
        if (first + i < count) pairs.at[first + i] = tile[i];
}
