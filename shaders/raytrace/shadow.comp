#version 460
//! variants DEVICE=0,1 INSTANCES=0
#if DEVICE
#extension GL_EXT_ray_query : require
#endif
// Light that reaches the paths: what their shadow rays carry, unless something is in the way. DEVICE: by ray queries in the device's own hierarchy.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint slots;
} params;

#include "bvh/traverse.glsl"
#include "paths.glsl"

readonly buffer ShadowRays { uvec4 quads[]; } shadow_rays;
buffer Paths { vec4 quads[]; } paths;

void main() {
    uint slot = slot_at(invocation_index(), params.slots);
    if (slot == kNoPath) return;
    uvec4 a = shadow_rays.quads[3u * slot];
    uvec4 b = shadow_rays.quads[3u * slot + 1u];
    Ray ray = Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
    MeshSize mesh = MeshSize(params.vertex_count, params.triangle_count);
    if (is_dead(ray) || any_hit(ray, mesh)) return;
    paths.quads[2u * slot + 1u].xyz += uintBitsToFloat(shadow_rays.quads[3u * slot + 2u].xyz);
}
