#version 460
// The first levels of a heap, by one group.

layout(local_size_x = 256) in;

uniform Params {
    uint depth;
    uint levels; // that are made here, the root among them; at most 9
} params;

#include "heap_split.glsl"

writeonly buffer Nodes { uvec4 values[]; } nodes;
buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;

shared uint shared_kind[512];
shared uint shared_first[512];

void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0u) {
        uint count = bvh_status.elements[0].leaves;
        bool last_level = params.depth == 1u;
        shared_kind[1] = count << 3u | (count < 2u || last_level ? kHeapLeaf : 0u);
        shared_first[1] = 0u;
        bvh_status.elements[0].root = count == 0u ? kNoNode : kHeapRoot;
        nodes.values[0] = uvec4(0u); // no node
        nodes.values[1] = uvec4(0u);
    }
    for (uint level = 0u; level + 1u < params.levels; ++level) {
        barrier();
        if (i < 1u << level) {
            uint node = (1u << level) + i;
            HeapSplit split = split_node(HeapNode(shared_kind[node], shared_first[node]), level,
                                         params.depth);
            shared_kind[node] = split.parent.kind;
            shared_kind[2u * node] = split.left.kind;
            shared_first[2u * node] = split.left.first;
            shared_kind[2u * node + 1u] = split.right.kind;
            shared_first[2u * node + 1u] = split.right.first;
        }
    }
    barrier();
    for (uint node = i; node < 1u << params.levels; node += gl_WorkGroupSize.x) {
        if (node == 0u) continue;
        nodes.values[2u * node] = uvec4(0u, 0u, 0u, shared_kind[node]);
        nodes.values[2u * node + 1u] = uvec4(0u, 0u, 0u, shared_first[node]);
    }
}
