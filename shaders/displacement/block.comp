#version 460
// Ends the shadow rays of paths that a patch is in the way of.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 46) const uint has_queue = 0u;
readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint words[]; } queue_length;
readonly buffer Hits { uvec4 values[]; } hits;
buffer ShadowRays { uvec4 quads[]; } shadow_rays;

uniform Params {
    uint ray_count;
} params;

void main() {
    uint i = invocation_index();
    uint count = has_queue != 0u ? min(queue_length.words[0], params.ray_count) : params.ray_count;
    if (i >= count) return;
    uint slot = has_queue != 0u ? queue.values[i] : i;
    if (hits.values[slot].y != 0xffffffffu) shadow_rays.quads[3u * slot].w = floatBitsToUint(-1.0);
}
