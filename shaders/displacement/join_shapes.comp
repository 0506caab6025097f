#version 460
// Hits with shapes of a first kind, where those of a second kind are not nearer, and what is known of
// their surfaces behind the hits of all rays.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "rays.glsl"

readonly buffer First { uvec4 values[]; } first;
buffer Hits { uvec4 values[]; } hits; // of the second kind, for which the first was hidden

uniform Params {
    uint ray_count;
} params;

const uint kSurfaceQuads = 5u; // as in raytrace/surface.glsl

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay) return;
    uvec4 hit = first.values[i];
    if (!is_patch(hit.y) || is_patch(hits.values[i].y)) return;
    hits.values[i] = hit;
    uint surface = params.ray_count + kSurfaceQuads * i;
    for (uint k = 0u; k < kSurfaceQuads; ++k)
        hits.values[surface + k] = first.values[surface + k];
}
