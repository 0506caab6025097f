#version 460
// Rays towards the sun from what rays have hit, a little above the surface.

layout(local_size_x = 64) in;

#include "normal.glsl"
#include "levels.glsl"
#include "invocation.glsl"

readonly buffer Rays { uvec4 quads[]; } rays;
readonly buffer Hits { uvec4 values[]; } hits;
readonly buffer Levels { uint values[]; } levels;
writeonly buffer LightRays { uvec4 quads[]; } light_rays;

uniform Params {
    uint ray_count;
    uint patch_count;
    float scale;
    float apart; // from the surface, in cells
    vec3 sun;    // unit
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.ray_count) return;
    uvec4 hit = hits.values[i];
    vec3 origin = vec3(0.0);
    float t_max = -1.0;
    if (hit.y != 0xffffffffu) {
        PlacedPatch placed = placed_patch(hit.y, params.patch_count);
        PatchRecord p = patches.elements[placed.patch_index];
        vec3 direction = uintBitsToFloat(rays.quads[2u * i + 1u].xyz);
        vec3 place = uintBitsToFloat(rays.quads[2u * i].xyz) + uintBitsToFloat(hit.x) * direction;
        vec3 normal = normal_out_of(
            placed.instance,
            displaced_normal(p, uintBitsToFloat(hit.zw), levels.values[i], params.scale));
        if (dot(normal, direction) > 0.0) normal = -normal;
        float cell = length(direction_out_of(placed.instance, p.c - p.a)) / float(1u << levels.values[i]);
        cell = max(cell, displaced_cell(p, uintBitsToFloat(hit.zw), levels.values[i], params.scale));
        if (dot(normal, params.sun) > 0.0) {
            origin = place + normal * params.apart * cell;
            t_max = 3e38;
        }
    }
    light_rays.quads[2u * i] = uvec4(floatBitsToUint(origin), floatBitsToUint(t_max));
    light_rays.quads[2u * i + 1u] = uvec4(floatBitsToUint(params.sun), 0xffffffffu);
}
