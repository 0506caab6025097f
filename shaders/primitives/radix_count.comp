#version 460
//! variants KEY_WORDS=1,2

// Counts the digits of each chunk.
#extension GL_EXT_control_flow_attributes : require
#include "radix_shape.glsl"
#include "radix_chunk.glsl"
#include "invocation.glsl"

readonly buffer Keys { Key words[]; } keys;
writeonly buffer Offsets { uint words[]; } offsets; // digit by digit, of each chunk: how many

shared uint counts[kMaxBins];

void main() {
    uint chunk = group_index();
    uint count = element_count(params.most);
    if (chunk >= params.chunks) return;
    uint index = gl_LocalInvocationIndex;
    if (index < kBins) counts[index] = 0u;
    barrier();
    uvec2 tiles = tiles_of_chunk(chunk, count);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        uint first = tile * kTile + index;
        Key batch[kItems]; // under way together
        [[unroll]] for (uint i = 0u; i < kItems; ++i)
            batch[i] = keys.words[min(first + i * kGroupSize, count - 1u)];
        [[unroll]] for (uint i = 0u; i < kItems; ++i)
            if (first + i * kGroupSize < count)
                atomicAdd(counts[digit_of(sort_key(batch[i]), params.shift, params.mask)], 1u);
    }
    barrier();
    if (index < kBins) offsets.words[index * params.chunks + chunk] = counts[index];
}
