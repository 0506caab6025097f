// The nearest triangle that each ray hits.

layout(local_size_x = 64) in;

layout(constant_id = 0) const uint with_work = 0u; // 1: what the search took is written, too
layout(constant_id = 1) const uint with_starts = 0u; // 1: each ray begins at a node of its own
layout(constant_id = 2) const uint with_ends = 0u;   // 1: where the hits are is written, too

uniform Params {
    uint vertex_count;
    uint triangle_count;
    uint ray_count;
} params;

#include "rays/traverse.glsl"
#include "rays/ray_buffer.glsl"

writeonly buffer Hits { uvec4 values[]; } hits; // t, triangle, weights
writeonly buffer Work { uvec2 values[]; } work; // boxes and triangles
readonly buffer Starts { uint values[]; } starts; // references
writeonly buffer Ends { uint values[]; } ends;

void main() {
    uint i = ray_index();
    if (i >= params.ray_count) return;
    HitAt found = closest_hit_from(ray_at(i), with_starts != 0u ? starts.values[i] : kNoNode);
    Hit hit = found.hit;
    hits.values[i] = uvec4(floatBitsToUint(hit.t), hit.triangle, floatBitsToUint(hit.barycentric));
    if (with_ends != 0u) ends.values[i] = found.leaf;
    if (with_work != 0u) work.values[i] = ray_work;
}
