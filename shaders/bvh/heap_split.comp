#version 460
// One level of a heap from the one above.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint depth;
    uint level; // of the parents
} params;

#include "heap_split.glsl"

buffer Nodes { uvec4 values[]; } nodes;

void write_child(uint at, HeapNode child) {
    nodes.values[2u * at] = uvec4(0u, 0u, 0u, child.kind);
    nodes.values[2u * at + 1u] = uvec4(0u, 0u, 0u, child.first);
}

void main() {
    uint i = invocation_index();
    if (i >= 1u << params.level) return;
    uint node = (1u << params.level) + i;
    HeapNode parent = HeapNode(nodes.values[2u * node].w, nodes.values[2u * node + 1u].w);
    HeapSplit split = split_node(parent, params.level, params.depth);
    if (split.parent.kind != parent.kind) nodes.values[2u * node].w = split.parent.kind;
    write_child(2u * node, split.left);
    write_child(2u * node + 1u, split.right);
}
