// Patches in several places: by the instances of bvh/instances. What is hit of them has one number for
// patch and instance; all that a ray does with a patch is done in the space of the patches, where t is
// the same.
#ifndef DISPLACEMENT_PLACED
#define DISPLACEMENT_PLACED
#include "bvh/bvh.glsl"
#include "bvh/ray.glsl"

layout(constant_id = 47) const uint has_instances = 0u;
readonly buffer BvhInstances { uvec4 values[]; } bvh_instances;

struct PlacedPatch {
    uint patch_index;
    uint instance; // 0 where there are none
};

PlacedPatch placed_patch(uint number, uint patch_count) {
    if (has_instances == 0u) return PlacedPatch(number, 0u);
    return PlacedPatch(number % patch_count, number / patch_count);
}

// The rows of the inverse of an instance's matrix, each with a coordinate of where it moves the origin.
struct Placement {
    vec4 x;
    vec4 y;
    vec4 z;
};

Placement placement_of(uint instance) {
    uint at = kInstanceQuads * instance;
    return Placement(uintBitsToFloat(bvh_instances.values[at]),
                     uintBitsToFloat(bvh_instances.values[at + 1u]),
                     uintBitsToFloat(bvh_instances.values[at + 2u]));
}

vec3 turned_into(Placement to, vec3 v) {
    precise vec3 turned =
        vec3(to.x.x * v.x + to.x.y * v.y + to.x.z * v.z, to.y.x * v.x + to.y.y * v.y + to.y.z * v.z,
             to.z.x * v.x + to.z.y * v.y + to.z.z * v.z);
    return turned;
}

bool stands_still(uint instance) {
    return has_instances == 0u ||
           (bvh_instances.values[kInstanceQuads * instance + 3u].y & kUnmoved) != 0u;
}

vec3 place_into(uint instance, vec3 place) {
    if (stands_still(instance)) return place;
    Placement to = placement_of(instance);
    precise vec3 from = place - vec3(to.x.w, to.y.w, to.z.w);
    return turned_into(to, from);
}

Ray ray_into(uint instance, Ray ray) {
    if (stands_still(instance)) return ray;
    ray.origin = place_into(instance, ray.origin);
    ray.direction = turned_into(placement_of(instance), ray.direction);
    return ray;
}

// Back to the world.
vec3 place_out_of(uint instance, vec3 place) {
    if (stands_still(instance)) return place;
    Placement to = placement_of(instance);
    mat3 back = inverse(transpose(mat3(to.x.xyz, to.y.xyz, to.z.xyz)));
    return back * place + vec3(to.x.w, to.y.w, to.z.w);
}
vec3 direction_out_of(uint instance, vec3 direction) {
    if (stands_still(instance)) return direction;
    Placement to = placement_of(instance);
    return inverse(transpose(mat3(to.x.xyz, to.y.xyz, to.z.xyz))) * direction;
}
// A normal, whose length changes: what is interpolated between such is as in a mesh with a matrix.
vec3 turned_out_of(uint instance, vec3 normal) {
    if (stands_still(instance)) return normal;
    Placement to = placement_of(instance);
    return mat3(to.x.xyz, to.y.xyz, to.z.xyz) * normal;
}
// Of unit length again, or 0.
vec3 normal_out_of(uint instance, vec3 normal) {
    if (stands_still(instance)) return normal;
    vec3 turned = turned_out_of(instance, normal);
    float size = length(turned);
    return size > 0.0 ? turned / size : turned;
}

#endif
