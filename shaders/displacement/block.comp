#version 460
// Ends the shadow rays of paths that a patch is in the way of.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "rays.glsl"

readonly buffer Hits { uvec4 values[]; } hits;
buffer ShadowRays { uvec4 quads[]; } shadow_rays;

uniform Params {
    uint ray_count;
} params;

void main() {
    uint slot = ray_number(invocation_index(), params.ray_count);
    if (slot == kNoRay) return;
    if (hits.values[slot].y != kNoTriangle) shadow_rays.quads[3u * slot].w = floatBitsToUint(-1.0);
}
