#version 460
// Hits with shapes made to look as those with triangles, so that other shapes leave them alone.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "rays.glsl"

readonly buffer Hits { uvec4 values[]; } hits;
writeonly buffer Hidden { uvec4 values[]; } hidden;

uniform Params {
    uint ray_count;
} params;

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
    if (i == kNoRay) return;
    uvec4 hit = hits.values[i];
    if (is_patch(hit.y)) hit.y = 0u;
    hidden.values[i] = hit;
}
