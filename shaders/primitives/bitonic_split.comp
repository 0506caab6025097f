#version 460
// Splits sorted pairs into keys and indices.

layout(local_size_x = 256) in;

uniform Params {
    uint most;
} params;
#include "invocation.glsl"
#include "pairs.glsl"

readonly buffer Pairs { Pair at[]; } pairs;
writeonly buffer SortedKeys { uint words[]; } sorted_keys;
writeonly buffer Permutation { uint words[]; } permutation;

void main() {
    uint index = invocation_index();
    if (index >= element_count(params.most)) return;
    Pair pair = pairs.at[index];
    sorted_keys.words[index] = from_sort_key(pair.x);
    permutation.words[index] = pair.y;
}
