#version 460
//! variants DEVICE=0,1 INSTANCES=0,1 except 1,1
#if DEVICE
#extension GL_EXT_ray_query : require
#endif
// Whether each ray hits anything. DEVICE: by ray queries in the device's own hierarchy. INSTANCES: in a
// hierarchy over instances.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint with_work = 0u; // 1: what the search took is written, too
#if INSTANCES
layout(constant_id = 3) const uint has_left = 0u; // 1: it is said which instance each ray leaves
#endif

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint ray_count;
} params;

#define RAY_BUFFER 1
#include "bvh/traverse.glsl"

writeonly buffer Hits { uint values[]; } hits;
writeonly buffer Work { uvec2 values[]; } work; // boxes and triangles
#if INSTANCES
readonly buffer Left { uint values[]; } left; // instances
#endif

void main() {
    uint i = invocation_index();
    if (i >= params.ray_count) return;
#if INSTANCES
    if (has_left != 0u) leaves_instance = left.values[i];
#endif
    MeshSize mesh = MeshSize(params.vertex_count, params.triangle_count);
    hits.values[i] = any_hit(ray_at(i), mesh) ? 1u : 0u;
    if (with_work != 0u) work.values[i] = ray_work;
}
