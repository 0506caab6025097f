#version 460
// Splits sorted pairs into keys and indices.

layout(local_size_x = 256) in;

uniform Params {
    uint most;
} params;
#include "pairs.glsl"

readonly buffer Pairs { Pair at[]; } pairs;
writeonly buffer SortedKeys { uint words[]; } sorted_keys;
writeonly buffer Permutation { uint words[]; } permutation;

void main() {
    uint index = group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (index >= element_count()) return;
    Pair pair = pairs.at[index];
    sorted_keys.words[index] = from_sort_key(pair.x);
    permutation.words[index] = pair.y;
}
