#version 460
// Light that reaches the paths: what their shadow rays carry, where nothing is in the way.

layout(local_size_x = 64) in;

#include "invocation.glsl"

layout(constant_id = 0) const uint has_queue = 0u;

uniform Params {
    uint rays;
} params;

readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint word; } queue_length;
readonly buffer ShadowRays { uvec4 quads[]; } shadow_rays; // of raytrace: three a ray
readonly buffer Hits { uint values[]; } hits;              // 1: something is in the way
buffer Paths { vec4 quads[]; } paths;                      // of raytrace: two a ray

void main() {
    uint i = invocation_index();
    uint count = has_queue != 0u ? min(queue_length.word, params.rays) : params.rays;
    if (i >= count) return;
    uint slot = has_queue != 0u ? queue.values[i] : i;
    bool is_dead = uintBitsToFloat(shadow_rays.quads[3u * slot].w) < 0.0;
    if (is_dead || hits.values[slot] != 0u) return;
    paths.quads[2u * slot + 1u].xyz += uintBitsToFloat(shadow_rays.quads[3u * slot + 2u].xyz);
}
