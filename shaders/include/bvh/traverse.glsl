// What a ray hits. A kernel declares the members `uint vertex_count` and `uint triangle_count` of
// `Params`, includes this, and calls `closest_hit` and `any_hit`; in C++, `bind_bvh` of
// passes/bvh/bvh.hpp binds the buffers and chooses the traversal. All give the same hits, to the
// bit: the nearest, and of equal t that of the lowest instance and triangle.
//
// INSTANCES, where it is defined before, is for hierarchies over instances, and for no others: a
// constant of the pipeline would choose as well, but software devices compile for minutes what it
// leaves out. DEVICE, likewise, is for the device's own hierarchy: few devices take such a kernel. With
// PIPELINE it is the ray generation stage of a ray-tracing pipeline.
#include "bvh/ray.glsl"
#include "bvh/box.glsl"
#include "bvh/triangle.glsl"
#include "bvh/mesh_triangle.glsl"
#include "bvh/bvh.glsl"

// Boxes and triangles that this invocation has tried. Costs nothing where nobody looks.
uvec2 ray_work = uvec2(0u);

struct HitAt {
    Hit hit;
    uint leaf; // a reference; kNoNode where nothing was hit
};

#if DEVICE
#include "bvh/traverse_device.glsl"

Hit traverse(Ray ray, bool any) {
    return traverse_device(ray, any);
}
#else
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

#include "bvh/traverse_mesh.glsl"
#include "bvh/traverse_binary.glsl"
#include "bvh/traverse_heap.glsl"
#include "bvh/traverse_wide.glsl"

#if INSTANCES
#include "bvh/traverse_instances.glsl"

Hit traverse(Ray ray, bool any) {
    if (traversal == kTraverseMesh) return traverse_instances_mesh(ray, any);
    if (traversal == kTraverseTrail) return traverse_instances_trail(ray, any);
    return traverse_instances_stack(ray, any);
}
#else
Hit traverse(Ray ray, bool any) {
    if (traversal == kTraverseStack) return traverse_stack(ray, any);
    if (traversal == kTraverseTrail) return traverse_trail(ray, any, kNoNode).hit;
    if (traversal == kTraverseWide) return traverse_wide(ray, any);
    if (traversal == kTraverseHeapStack) return traverse_heap_stack(ray, any);
    if (traversal == kTraverseHeapTrail) return traverse_heap_trail(ray, any, kNoNode).hit;
    return traverse_mesh(ray, any);
}
#endif
#endif

// The nearest hit; of triangle kNoTriangle where there is none.
Hit closest_hit(Ray ray) {
    return traverse(ray, false);
}

// The same, beginning at the node or leaf `from`, where an earlier ray has hit what is often near;
// kNoNode begins at the root. Traversals by stack, those of instances and the device's always do,
// and then the leaf is kNoNode.
HitAt closest_hit_from(Ray ray, uint from) {
#if !INSTANCES && !DEVICE
    if (traversal == kTraverseTrail) return traverse_trail(ray, false, from);
    if (traversal == kTraverseHeapTrail) return traverse_heap_trail(ray, false, from);
#endif
    return HitAt(traverse(ray, false), kNoNode);
}

// Whether the ray hits anything.
bool any_hit(Ray ray) {
    return traverse(ray, true).triangle != kNoTriangle;
}
