#version 460
//! variants DEVICE=0,1 INSTANCES=0
#if DEVICE
#extension GL_EXT_ray_query : require
#endif
// What the rays of paths hit first. DEVICE: by ray queries in the device's own hierarchy.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint slots;
} params;

#define RAY_BUFFER 1
#include "bvh/traverse.glsl"
#include "paths.glsl"

writeonly buffer Hits { uvec4 quads[]; } hits; // t, triangle, weights

void main() {
    uint slot = slot_at(invocation_index(), params.slots);
    if (slot == kNoPath) return;
    Ray ray = ray_at(slot);
    ray.t_max = t_max_of(floatBitsToUint(ray.t_max));
    if (is_dead(ray)) return;
    Hit hit = closest_hit(ray, MeshSize(params.vertex_count, params.triangle_count));
    hits.quads[slot] =
        uvec4(floatBitsToUint(hit.t), hit.triangle, floatBitsToUint(hit.barycentric));
}
