#version 460
// The nearest triangle that each ray hits.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint with_work = 0u; // 1: what the search took is written, too

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint ray_count;
} params;

#include "rays/traverse.glsl"
#include "rays/ray_buffer.glsl"

writeonly buffer Hits { uvec4 values[]; } hits; // t, triangle, weights
writeonly buffer Work { uvec2 values[]; } work; // boxes and triangles

void main() {
    uint i = ray_index();
    if (i >= params.ray_count) return;
    Hit hit = closest_hit(ray_at(i));
    hits.values[i] = uvec4(floatBitsToUint(hit.t), hit.triangle, floatBitsToUint(hit.barycentric));
    if (with_work != 0u) work.values[i] = ray_work;
}
