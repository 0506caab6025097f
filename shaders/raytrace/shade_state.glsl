// What kernels that shade paths read and write. Before the include, declare the member `uint slots`
// of `Params`; include bvh/ray.glsl, raytrace/paths.glsl and raytrace/queue.glsl before. In C++,
// passes/raytrace/wavefront.cpp binds it.
layout(constant_id = 21) const uint compacts = 0u; // 1: who goes on is written for a new queue

buffer Rays { uvec4 quads[]; } rays;
readonly buffer Hits { uvec4 quads[]; } hits;
buffer Paths { vec4 quads[]; } paths;
writeonly buffer ShadowRays { uvec4 quads[]; } shadow_rays;
writeonly buffer Alive { uint values[]; } alive; // a word an entry of the queue

Ray ray_at(uint slot) {
    uvec4 a = rays.quads[2u * slot];
    uvec4 b = rays.quads[2u * slot + 1u];
    return Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
}

Hit hit_at(uint slot) {
    uvec4 hit = hits.quads[slot];
    return Hit(uintBitsToFloat(hit.x), hit.y, uintBitsToFloat(hit.zw), kNoInstance);
}

Path path_at(uint slot) {
    vec4 a = paths.quads[2u * slot];
    vec4 b = paths.quads[2u * slot + 1u];
    return Path(a.xyz, a.w, b.xyz, 0u);
}

ShadowRay no_shadow_ray() {
    return ShadowRay(Ray(vec3(0.0), kDead, vec3(0.0), kNoTriangle), vec3(0.0));
}

Ray no_ray() {
    return Ray(vec3(0.0), kDead, vec3(0.0), kNoTriangle);
}

void store_shadow_ray(uint slot, ShadowRay shadow) {
    shadow_rays.quads[3u * slot] =
        uvec4(floatBitsToUint(shadow.ray.origin), floatBitsToUint(shadow.ray.t_max));
    if (is_dead(shadow.ray)) return;
    shadow_rays.quads[3u * slot + 1u] =
        uvec4(floatBitsToUint(shadow.ray.direction), shadow.ray.leaves);
    shadow_rays.quads[3u * slot + 2u] = uvec4(floatBitsToUint(shadow.light), 0u);
}

// Ends the work on entry `i` of the queue: the path goes on along `next`, or not if that is dead.
void store(uint i, uint slot, Path path, Ray next, ShadowRay shadow) {
    rays.quads[2u * slot] = uvec4(floatBitsToUint(next.origin), floatBitsToUint(next.t_max));
    rays.quads[2u * slot + 1u] = uvec4(floatBitsToUint(next.direction), next.leaves);
    paths.quads[2u * slot] = vec4(path.throughput, path.pdf);
    paths.quads[2u * slot + 1u] = vec4(path.radiance, 0.0);
    store_shadow_ray(slot, shadow);
    if (compacts != 0u) alive.values[i] = is_dead(next) ? 0u : 1u;
}
