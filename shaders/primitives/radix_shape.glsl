// What the kernels of the radix sort share: digits and the parameters of one pass. Before the
// include, define KEY_WORDS.
#ifndef PRIMITIVES_RADIX_SHAPE
#define PRIMITIVES_RADIX_SHAPE
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 256) in; // at least kBins
layout(constant_id = 10) const uint digit_bits = 8u;
layout(constant_id = 18) const uint kItems = 16u; // elements of an invocation

const uint kBins = 1u << digit_bits;
const uint kMaxBins = 256u;
const uint kGroupSize = gl_WorkGroupSize.x;
const uint kTile = kItems * kGroupSize;

uniform Params {
    uint most;
    uint shift;        // of the digit, from the least significant bit of the sort key
    uint mask;         // of the digit, after the shift
    uint pass;         // number of the digit, from 0
    uint has_values; // 0: the value of an element is its index
    uint chunks;       // of primitives/radix_chunk.glsl
} params;
#include "length.glsl"
#include "sort_key.glsl"

// Numbers the invocations so that those of a subgroup are neighbours.
uint own_index() {
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

const uint kMaxSubgroups = 256u; // of four lanes, in the largest group of all

shared uint subgroup_sums[kMaxSubgroups];

// The sum of `value` over the invocations of lower index. All must call it; between two calls there
// must be a barrier.
uint exclusive_scan(uint value) {
    uint before = subgroupExclusiveAdd(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
        subgroup_sums[gl_SubgroupID] = before + value;
    barrier();
    if (gl_SubgroupID == 0u) {
        uint sum = 0u;
        for (uint first = 0u; first < gl_NumSubgroups; first += gl_SubgroupSize) {
            uint subgroup = first + gl_SubgroupInvocationID;
            uint own = subgroup < gl_NumSubgroups ? subgroup_sums[subgroup] : 0u;
            uint earlier = sum + subgroupExclusiveAdd(own);
            if (subgroup < gl_NumSubgroups) subgroup_sums[subgroup] = earlier;
            sum = subgroupBroadcast(earlier + own, gl_SubgroupSize - 1u);
        }
    }
    barrier();
    return before + subgroup_sums[gl_SubgroupID];
}
#endif
