#version 460
// The hits of rays, from the triangles that they meet first: computed once more, so that t and
// weights are what all tracers find, to the bit.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_queue = 0u;

uniform Params {
    uint rays;
    uint any; // 1: a word a ray, whether it hits
} params;

#include "bvh/triangle.glsl"
#include "rays.glsl"

readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint word; } queue_length;
readonly buffer Best { uvec2 values[]; } best;
readonly buffer Leaves { uvec4 quads[]; } leaves;
writeonly buffer Hits { uint words[]; } hits;

void main() {
    uint i = invocation_index();
    uint count = has_queue != 0u ? min(queue_length.word, params.rays) : params.rays;
    if (i >= count) return;
    uint slot = has_queue != 0u ? queue.values[i] : i;
    uint triangle = best.values[slot][kBestTriangle];
    if (params.any != 0u) {
        hits.words[slot] = uint(triangle != kNoTriangle);
        return;
    }
    Ray ray = fetch_ray(slot);
    Hit hit = no_hit(ray);
    if (triangle != kNoTriangle) {
        uint quad = 3u * triangle;
        meet_triangle(prepare(ray), uintBitsToFloat(leaves.quads[quad].xyz),
                      uintBitsToFloat(leaves.quads[quad + 1u].xyz),
                      uintBitsToFloat(leaves.quads[quad + 2u].xyz), triangle, hit);
    }
    hits.words[4u * slot] = floatBitsToUint(hit.t);
    hits.words[4u * slot + 1u] = hit.triangle;
    hits.words[4u * slot + 2u] = floatBitsToUint(hit.barycentric.x);
    hits.words[4u * slot + 3u] = floatBitsToUint(hit.barycentric.y);
}
