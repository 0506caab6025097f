#version 460
// Makes pairs of keys, and of as many paddings as there are places left.

layout(local_size_x = 256) in;

uniform Params {
    uint most;
    uint places;
} params;
#include "invocation.glsl"
#include "pairs.glsl"

readonly buffer Keys { uint words[]; } keys;
writeonly buffer Pairs { Pair at[]; } pairs;

void main() {
    uint index = invocation_index();
    if (index >= params.places) return;
    pairs.at[index] = index < element_count(params.most) ? Pair(sort_key(keys.words[index]), index)
                                              : padding(index);
}
