#version 460
// Sums up nodes of a tree, 2,048 of a level a group, to the eleven levels above: those whose sums have 32
// bits. The group that reaches the root says how many leaves there are.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sums.glsl"

uniform Params {
    uint depth; // of the tree
    uint from;  // depth of the nodes that are summed up
    uint capacity; // leaves that there is room for
} params;

buffer Sums { uint words[]; } sums;

buffer Status { uint words[]; } status;
writeonly buffer Arguments { uint groups[3]; } arguments; // of kLeafGroup leaves

const uint kNodes = 2048u;
shared uint counts[kNodes];

void tell(uint leaves) {
    uint listed = min(leaves, params.capacity);
    uint groups = max((listed + kLeafGroup - 1u) / kLeafGroup, 1u);
    status.words[kListed] = listed;
    status.words[kLeaves] = leaves;
    arguments.groups[0u] = min(groups, 65535u);
    arguments.groups[1u] = (groups + 65534u) / 65535u;
    arguments.groups[2u] = 1u;
    status.words[kRoom] = params.capacity - listed;
}

void main() {
    uint group = group_index();
    uint lane = gl_LocalInvocationIndex;
    uint all = 1u << params.from;
    if (group * kNodes >= all) return;
    uint count = min(kNodes, all - group * kNodes);
    uint begin = sums_begin(params.depth, params.from);
    uint width = sum_bits(params.depth - params.from);
    uint each = 32u / width;
    for (uint i = lane; i < count; i += gl_WorkGroupSize.x) {
        uint node = group * kNodes + i;
        uint word = sums.words[begin + node / each];
        counts[i] = width == 32u ? word : word >> (node % each * width) & ((1u << width) - 1u);
    }
    uint first = group * kNodes;
    uint depth = params.from;
    while (count > 1u) {
        begin += sum_words(params.depth, depth);
        --depth;
        count >>= 1u;
        first >>= 1u;
        barrier();
        uint sum[4];
        for (uint k = 0u; k < 4u; ++k) {
            uint i = lane + k * gl_WorkGroupSize.x;
            sum[k] = i < count ? counts[2u * i] + counts[2u * i + 1u] : 0u;
        }
        barrier();
        for (uint k = 0u; k < 4u; ++k) {
            uint i = lane + k * gl_WorkGroupSize.x;
            if (i >= count) continue;
            counts[i] = sum[k];
            sums.words[begin + first + i] = sum[k];
        }
    }
    barrier();
    if (depth == 0u && lane == 0u) tell(counts[0]);
}
