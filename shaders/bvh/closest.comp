#version 460
//! variants DEVICE=0,1 INSTANCES=0,1 except 1,1
#if DEVICE
#extension GL_EXT_ray_query : require
#endif
// The nearest triangle that each ray hits. DEVICE: by ray queries in the device's own hierarchy. INSTANCES: in a
// hierarchy over instances.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint with_work = 0u; // 1: what the search took is written, too
layout(constant_id = 2) const uint with_ends = 0u; // 1: where the hits are is written, too
#if INSTANCES
layout(constant_id = 3) const uint has_left = 0u; // 1: it is said which instance each ray leaves
#elif !DEVICE
layout(constant_id = 1) const uint has_starts = 0u; // 1: each ray begins at a node of its own
#endif

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint ray_count;
} params;

#define RAY_BUFFER 1
#include "bvh/traverse.glsl"

writeonly buffer Hits { uvec4 values[]; } hits; // t, triangle, weights
writeonly buffer Work { uvec2 values[]; } work; // boxes and triangles
writeonly buffer Ends { uint values[]; } ends; // references
#if INSTANCES
readonly buffer Left { uint values[]; } left; // instances
writeonly buffer HitInstances { uint values[]; } hit_instances; // or kNoInstance
#elif !DEVICE
readonly buffer Starts { uint values[]; } starts; // references
#endif

void main() {
    uint i = invocation_index();
    if (i >= params.ray_count) return;
    uint start = kNoNode;
#if INSTANCES
    if (has_left != 0u) leaves_instance = left.values[i];
#elif !DEVICE
    if (has_starts != 0u) start = starts.values[i];
#endif
    MeshSize mesh = MeshSize(params.vertex_count, params.triangle_count);
    HitAt found = closest_hit_from(ray_at(i), mesh, start);
    Hit hit = found.hit;
    hits.values[i] = uvec4(floatBitsToUint(hit.t), hit.triangle, floatBitsToUint(hit.barycentric));
#if INSTANCES
    hit_instances.values[i] = hit.instance;
#endif
    if (with_ends != 0u) ends.values[i] = found.leaf;
    if (with_work != 0u) work.values[i] = ray_work;
}
