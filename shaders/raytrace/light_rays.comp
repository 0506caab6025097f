#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Shadow rays from what rays have hit to a light, or to a part of one: raytrace/shadow adds their
// light. Runs before hits are shaded, while rays and throughputs are still those that led there.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "shading.glsl"

uniform Params {
    uint slots;
    uint first_material;
    uint end_material;
    uint shadows; // 1: lights are tried for what is in their way
    ivec4 texture_ids[3];
    vec3 light_position;
    float roughness_scale;
    vec3 light_direction; // unit, that it faces
    float specular;
    vec3 light_strength; // irradiance times the square of the distance
    uint is_area;        // 1: of a part of a rectangle
    float cone_scale;    // the share of the cosine
    float cone_offset;
} params;

#include "raytrace/surface.glsl"

const float kBeforeLight = 1.0 - 1e-4; // of the way: what is drawn at the light is not in its way

// How much of its strength the light sends along `from_light`: glTF's spots, or a rectangle seen
// from aside.
float sent_along(vec3 from_light) {
    float share = clamp(dot(from_light, params.light_direction) * params.cone_scale +
                            params.cone_offset, 0.0, 1.0);
    return params.is_area != 0u ? share : share * share;
}

ShadowRay to_light(Surface surface, vec3 view, uint triangle) {
    ShadowRay shadow = no_shadow_ray();
    vec3 way = params.light_position - surface.position;
    float squared = dot(way, way);
    if (!(squared > 0.0)) return shadow;
    vec3 light = way * inversesqrt(squared);
    float n_dot_l = dot(surface.normal, light);
    if (n_dot_l <= 0.0 || dot(surface.face, light) <= 0.0) return shadow;
    Scattering s = scattering_of(surface.base_color.rgb, surface.metallic,
                                 surface.roughness * params.roughness_scale, params.specular);
    shadow.light = params.light_strength * (sent_along(-light) * n_dot_l / squared) *
                   reflected_light(s, surface.normal, view, light);
    if (all(equal(shadow.light, vec3(0.0)))) return shadow;
    vec3 origin = off_surface(surface.position, surface.face);
    vec3 left = params.light_position - origin; // t is 1 at the light
    shadow.ray = Ray(origin, kBeforeLight, left, triangle);
    return shadow;
}

void main() {
    uint slot = slot_at(invocation_index(), params.slots);
    if (slot == kNoPath) return;
    Ray ray = ray_at(slot);
    bool first_pass = params.first_material == 0u; // does what belongs to no material
    Hit hit = hit_at(slot);
    if (is_dead(ray) || hit.triangle == kNoTriangle) {
        if (first_pass) store_shadow_ray(slot, no_shadow_ray());
        return;
    }
    uint material = material_at(hit, slot, params.slots);
    if (material < params.first_material || material >= params.end_material) return;

    Cone cone = cone_after(cone_at(slot), hit.t);
    Surface surface = surface_of_hit(hit, slot, params.slots, ray.direction, cone.width,
                                     params.texture_ids);
    ShadowRay shadow = no_shadow_ray();
    float there = coverage(surface);
    if (there > 0.0 && (surface.flags & kMaterialUnlit) == 0u) {
        shadow = to_light(surface, -ray.direction, hit.triangle);
        shadow.light *= path_at(slot).throughput * there;
        if (params.shadows == 0u && !is_dead(shadow.ray)) {
            paths.quads[2u * slot + 1u].xyz += shadow.light;
            shadow = no_shadow_ray();
        }
    }
    store_shadow_ray(slot, shadow);
}
