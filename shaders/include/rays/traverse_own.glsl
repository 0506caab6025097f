// Traversals of the hierarchies of bvh.glsl. Included by rays/traverse.glsl.

layout(constant_id = 31) const uint traversal = 0u;
const uint kTraverseMesh = 0u;
const uint kTraverseStack = 1u;
const uint kTraverseTrail = 2u;
const uint kTraverseHeapStack = 3u;
const uint kTraverseHeapTrail = 4u;
const uint kTraverseWide = 5u;

readonly buffer BvhNodes { uvec4 values[]; } bvh_nodes;
readonly buffer BvhLeaves { uvec4 values[]; } bvh_leaves;
readonly buffer BvhStatus { uint words[]; } bvh_status;
readonly buffer BvhTopNodes { uvec4 values[]; } bvh_top_nodes; // these three: over instances
readonly buffer BvhTopLeaves { uvec4 values[]; } bvh_top_leaves;
readonly buffer BvhInstances { uvec4 values[]; } bvh_instances;

#include "rays/traverse_mesh.glsl"
#include "rays/traverse_binary.glsl"
#include "rays/traverse_heap.glsl"
#include "rays/traverse_wide.glsl"
#include "rays/traverse_instances.glsl"

Hit traverse(Ray ray, bool any) {
    if (instanced != 0u) {
        if (traversal == kTraverseMesh) return traverse_instances_mesh(ray, any);
        if (traversal == kTraverseTrail) return traverse_instances_trail(ray, any);
        return traverse_instances_stack(ray, any);
    }
    if (traversal == kTraverseStack) return traverse_stack(ray, any);
    if (traversal == kTraverseTrail) return traverse_trail(ray, any, kNoNode).hit;
    if (traversal == kTraverseWide) return traverse_wide(ray, any);
    if (traversal == kTraverseHeapStack) return traverse_heap_stack(ray, any);
    if (traversal == kTraverseHeapTrail) return traverse_heap_trail(ray, any, kNoNode).hit;
    return traverse_mesh(ray, any);
}

// The nearest hit, beginning at the node or leaf `from`, where an earlier ray has hit what is often
// near; kNoNode begins at the root. Traversals by stack and those of instances always do, and then
// the leaf is kNoNode.
HitAt closest_hit_from(Ray ray, uint from) {
    if (instanced != 0u) return HitAt(traverse(ray, false), kNoNode);
    if (traversal == kTraverseTrail) return traverse_trail(ray, false, from);
    if (traversal == kTraverseHeapTrail) return traverse_heap_trail(ray, false, from);
    return HitAt(traverse(ray, false), kNoNode);
}
