#version 460
// Pairs of a patch and a ray that meets its box, in any order.

layout(local_size_x = 64) in;

#include "status.glsl"
#include "invocation.glsl"

#include "walk.glsl"

buffer Status { CastStatus elements[]; } status;
writeonly buffer PairPatches { uint values[]; } pair_patches;
writeonly buffer PairRays { uint values[]; } pair_rays;

uniform Params {
    uint ray_count;
    uint patch_count;
    uint room;
} params;

uint traced_ray;
float traced_limit;
// Pairs wait here, so that fewer invocations count at the same word.
const uint kWaiting = 8u;
uint waiting_patches[kWaiting];
uint waiting_count = 0u;

void append() {
    if (waiting_count == 0u) return;
    uint first = atomicAdd(status.elements[0].pairs, waiting_count);
    for (uint k = 0u; k < waiting_count; ++k) {
        if (first + k >= params.room) break;
        pair_patches.values[first + k] = waiting_patches[k];
        pair_rays.values[first + k] = traced_ray;
    }
    waiting_count = 0u;
}

float visit(uint number, PreparedRay ray, float t) {
    if (waiting_count == kWaiting) append();
    waiting_patches[waiting_count++] = number;
    return traced_limit;
}

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay) return;
    Ray ray = ray_to_patches(i);
    if (!(ray.t_max >= 0.0)) return;
    traced_ray = i;
    traced_limit = ray.t_max;
    visit_patches(ray, params.patch_count);
    append();
}
