#version 460
// Adds one of several hierarchies to the nodes and leaves of all, and to the table of them.

layout(local_size_x = 256) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint wide = 0u;  // 1: nodes of eight children
layout(constant_id = 1) const uint alone = 0u; // 1: there is no other; nodes and leaves stay

uniform Params {
    uint part;
    uint base; // nodes, and leaves, of those before
    uint count;
} params;

#include "parts.glsl"
#include "bvh/bvh.glsl"

readonly buffer PartNodes { uvec4 values[]; } part_nodes;
readonly buffer PartLeaves { uvec4 values[]; } part_leaves;
readonly buffer PartStatus { HierarchyStatus elements[]; } part_status;
writeonly buffer Nodes { uvec4 values[]; } nodes;
writeonly buffer Leaves { uvec4 values[]; } leaves;
writeonly buffer Parts { uvec4 values[]; } parts;

// The numbers of nodes and leaves move by the same.
uint moved(uint reference) {
    return reference == kNoNode ? kNoNode : reference + params.base;
}

void copy_binary(uint i) {
    uint from = 4u * i;
    uint to = 4u * (params.base + i);
    for (uint quad = 0u; quad < 3u; ++quad) {
        uvec4 value = part_nodes.values[from + quad];
        nodes.values[to + quad] = uvec4(value.xyz, moved(value.w));
    }
    nodes.values[to + 3u] = part_nodes.values[from + 3u]; // the last word is a count
}

void copy_wide(uint i) {
    uint from = kWideQuads * i;
    uint to = kWideQuads * (params.base + i);
    for (uint quad = 0u; quad < kWideQuads; ++quad) {
        uvec4 value = part_nodes.values[from + quad];
        if (quad == 1u || quad == 2u)
            value = uvec4(moved(value.x), moved(value.y), moved(value.z), moved(value.w));
        nodes.values[to + quad] = value;
    }
}

void main() {
    uint i = invocation_index();
    if (i == 0u) {
        uint at = kPartQuads * params.part;
        float low[4] = part_status.elements[0].low;
        float high[4] = part_status.elements[0].high;
        parts.values[at] = uvec4(floatBitsToUint(vec3(low[0], low[1], low[2])),
                                 moved(part_status.elements[0].root));
        parts.values[at + 1u] =
            uvec4(floatBitsToUint(vec3(high[0], high[1], high[2])), params.base);
        parts.values[at + 2u] = uvec4(part_status.elements[0].leaves, 0u, 0u, 0u);
    }
    if (alone != 0u || i >= params.count) return;
    if (i < part_status.elements[0].nodes) {
        if (wide != 0u) copy_wide(i);
        else copy_binary(i);
    }
    if (i < part_status.elements[0].leaves) {
        uint from = 3u * i;
        uint to = 3u * (params.base + i);
        leaves.values[to] = part_leaves.values[from];
        uvec4 second = part_leaves.values[from + 1u];
        leaves.values[to + 1u] = uvec4(second.xyz, moved(second.w));
        leaves.values[to + 2u] = part_leaves.values[from + 2u];
    }
}
