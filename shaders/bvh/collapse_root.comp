#version 460
// The queue of nodes to be widened has the root, unless it is a leaf or missing.

layout(local_size_x = 128) in;

#include "bvh/bvh.glsl"

readonly buffer BvhStatus { HierarchyStatus elements[]; } bvh_status;
writeonly buffer Queue { uint values[]; } queue;
writeonly buffer Counts { uint values[]; } counts; // of the queue, by level

void main() {
    uint i = gl_LocalInvocationIndex;
    uint root = bvh_status.elements[0].root;
    bool is_node = root != kNoNode && (root & kLeafBit) == 0u;
    if (i == 0u) queue.values[0] = root;
    counts.values[i] = i == 0u && is_node ? 1u : 0u;
}
