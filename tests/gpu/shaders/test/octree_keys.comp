#version 460
// Keys of octree nodes, and what kernels read from them.
layout(local_size_x = 256) in;

#include "../../../../shaders/terrain/octree_key.glsl"

readonly buffer Nodes {
    uvec4 values[]; // x, y, z, level
} nodes;
writeonly buffer Keys {
    uvec4 values[]; // key, parent, octant, child of octant i % 8
} keys;
writeonly buffer Decoded {
    uvec4 values[];
} decoded;

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i >= nodes.values.length()) return;
    const uvec4 node = nodes.values[i];
    const uint key = octree_key_of(OctreeNode(node.w, node.xyz));
    const uint child = node.w < kMaxOctreeLevel ? octree_child_of(key, i % 8u) : 0u;
    keys.values[i] = uvec4(key, octree_parent_of(key), octant_of(key), child);
    const OctreeNode back = octree_node_of(key);
    decoded.values[i] = uvec4(back.cell, back.level);
}
