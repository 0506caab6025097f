#version 460
//! variants DEVICE=0,1 INSTANCES=0 TEXTURE_ARRAY=0,1
#if DEVICE
#extension GL_EXT_ray_query : require
#endif
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Light that reaches the paths: what their shadow rays carry, less what is lost in materials that are
// cut away or seen through, of which a dispatch looks at a batch. DEVICE: by ray
// queries in the device's own hierarchy.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint slots;
    uint first_material;
    uint end_material;
    uint last_batch; // 1: what is left of the light is added
    ivec4 texture_ids[3];
} params;

#include "see_through.glsl"

buffer ShadowRays { uvec4 quads[]; } shadow_rays;
buffer Paths { vec4 quads[]; } paths;

void main() {
    uint slot = slot_at(invocation_index(), params.slots);
    if (slot == kNoPath) return;
    uvec4 a = shadow_rays.quads[3u * slot];
    uvec4 b = shadow_rays.quads[3u * slot + 1u];
    Ray ray = Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
    if (is_dead(ray)) return;
    uvec4 light = shadow_rays.quads[3u * slot + 2u];
    SeeThroughBatch batch =
        SeeThroughBatch(params.first_material, params.end_material, params.texture_ids);
    uint lost = lost_along(ray, MeshSize(params.vertex_count, params.triangle_count), batch,
                           light.w);
    if (params.last_batch != 0u) {
        paths.quads[2u * slot + 1u].xyz += left_of(uintBitsToFloat(light.xyz), lost);
        return;
    }
    shadow_rays.quads[3u * slot + 2u].w = lost;
    if (lost >= kAllLost) shadow_rays.quads[3u * slot].w = floatBitsToUint(kDead);
}
