#version 460
// Pairs from sorted keys.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "status.glsl"

uniform Params {
    uint pair_room;
    uint bits_b;
} params;

readonly buffer CollisionStatus { SearchStatus elements[]; } collision_status;
readonly buffer Keys { uvec2 values[]; } keys; // the low word first
writeonly buffer Pairs { uvec2 values[]; } pairs;
writeonly buffer PairCount { uint value; } pair_count;

void main() {
    uint i = invocation_index();
    uint count = min(collision_status.elements[0].pairs, params.pair_room);
    if (i == 0u) pair_count.value = count;
    if (i >= count) return;
    uvec2 key = keys.values[i];
    uint mask = (1u << params.bits_b) - 1u; // fewer than 32 bits
    uint high = params.bits_b == 0u ? 0u : key.y << (32u - params.bits_b);
    pairs.values[i] = uvec2(high | (key.x >> params.bits_b), key.x & mask);
}
