// Sums over a group of kInvocations invocations. Include this below the layout of the group.
#ifndef TERRAIN_SCAN
#define TERRAIN_SCAN

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

shared uint subgroup_sums[kInvocations / 4u]; // subgroups have at least four invocations
shared uint group_sum;

// The sum of what the invocations before this one have. All invocations of the group call this;
// `group_sum` is the sum of all, until the next call.
uint exclusive_sum(uint own) {
    barrier();
    uint before = subgroupExclusiveAdd(own);
    uint part = subgroupAdd(own);
    if (subgroupElect()) subgroup_sums[gl_SubgroupID] = part;
    barrier();
    uint sum = 0u;
    uint own_sum = 0u;
    for (uint i = 0u; i < gl_NumSubgroups; ++i) {
        if (i == gl_SubgroupID) own_sum = sum;
        sum += subgroup_sums[i];
    }
    if (gl_LocalInvocationIndex == 0u) group_sum = sum;
    barrier();
    return own_sum + before;
}

#endif
