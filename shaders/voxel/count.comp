#version 460
// Counts the set voxels of a grid.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 256) in;

uniform Params {
    uint count; // words
} params;

#include "invocation.glsl"
#include "status.glsl"

readonly buffer Words { uint values[]; } words;

const uint kWordsEach = 16u;
shared uint all;

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) all = 0u;
    uint first = group_index() * kWordsEach * gl_WorkGroupSize.x + lane;
    uint own = 0u;
    [[unroll]] for (uint i = 0u; i < kWordsEach; ++i) {
        uint at = first + i * gl_WorkGroupSize.x;
        if (at < params.count) own += uint(bitCount(words.values[at]));
    }
    barrier();
    uint sum = subgroupAdd(own);
    if (subgroupElect() && sum != 0u) atomicAdd(all, sum);
    barrier();
    if (lane != 0u || all == 0u) return;
    count_voxels(all);
}
