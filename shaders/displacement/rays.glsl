// Rays that look for patches, and what else they have hit before.
#ifndef DISPLACEMENT_RAYS
#define DISPLACEMENT_RAYS
#include "bvh/bvh.glsl"
#include "bvh/ray.glsl"

readonly buffer Rays { uvec4 quads[]; } rays;
readonly buffer Before { uvec4 values[]; } before; // hits on triangles

layout(constant_id = 42) const uint has_before = 0u;
// Rays of raytrace's paths: shadow rays lie three quads apart, others have no end, and only those in
// the queue are traced.
layout(constant_id = 44) const uint ray_quads = 2u;
layout(constant_id = 45) const uint endless = 0u; // 1: the sign of t_max alone counts
layout(constant_id = 46) const uint has_queue = 0u;
readonly buffer Queue { uint values[]; } queue;
readonly buffer QueueLength { uint words[]; } queue_length;

const uint kNoRay = 0xffffffffu;

// The ray of invocation `i`; `count`: all there are.
uint ray_number(uint i, uint count) {
    if (has_queue == 0u) return i < count ? i : kNoRay;
    return i < min(queue_length.words[0], count) ? queue.values[i] : kNoRay;
}

// In the number of what is hit: a patch, where triangles may be hit as well.
const uint kPatchBit = 0x80000000u;

uint patch_number(uint patch_index) {
    return has_before != 0u ? patch_index | kPatchBit : patch_index;
}
// Where triangles may be hit as well.
bool is_patch(uint number) {
    return number != kNoTriangle && (number & kPatchBit) != 0u;
}

// The ray, as far as a patch counts that it hits: a triangle wins where both are equally far.
Ray ray_to_patches(uint i) {
    uvec4 first = rays.quads[ray_quads * i];
    uvec4 second = rays.quads[ray_quads * i + 1u];
    Ray ray = Ray(uintBitsToFloat(first.xyz), uintBitsToFloat(first.w),
                  uintBitsToFloat(second.xyz), second.w);
    if (endless != 0u && ray.t_max >= 0.0) ray.t_max = 1e30; // the word holds the ray's cone
    if (has_before != 0u && before.values[i].y != kNoTriangle) {
        uint t = before.values[i].x;
        ray.t_max = t == 0u ? -1.0 : min(ray.t_max, uintBitsToFloat(t - 1u));
    }
    ray.leaves = kNoTriangle;
    bool numbers = all(lessThan(floatBitsToUint(ray.origin) & 0x7fffffffu, uvec3(0x7f800000u))) &&
                   all(lessThan(floatBitsToUint(ray.direction) & 0x7fffffffu, uvec3(0x7f800000u)));
    if (!numbers || all(equal(ray.direction, vec3(0.0)))) ray.t_max = -1.0;
    return ray;
}

// What is written for a ray that hits no patch.
uvec4 hit_before(uint i) {
    if (has_before != 0u) return before.values[i];
    return uvec4(rays.quads[ray_quads * i].w, kNoTriangle, 0u, 0u);
}

#endif
