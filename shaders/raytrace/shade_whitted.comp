#version 460
//! variants TEXTURE_ARRAY=0,1
#if TEXTURE_ARRAY
#extension GL_EXT_nonuniform_qualifier : require
#endif
// Colours what rays have hit, and turns them into reflected ones: sun with shadow rays, light of
// the surroundings without, mirrors.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/environment.glsl"
#include "shading.glsl"

uniform Params {
    uint slots;
    uint first_material;
    uint end_material;
    uint bounce;
    uint last_bounce;
    uint show_environment; // 1: behind the scene
    ivec4 texture_ids[3];
    vec3 sun_direction; // unit, towards it
    float roughness_scale;
    vec3 sun_irradiance;
    float specular;
    vec3 environment_scale;
    float environment_rotation; // degrees
    vec3 background;
    uint shadows; // 1: the sun casts them
    uint cones;   // kCones...
} params;

#include "raytrace/surface.glsl"

uniform sampler2D panorama;
uniform samplerCube environment_map;
uniform Irradiance { vec4 coefficients[9]; } irradiance;

vec3 seen_behind(vec3 direction) {
    if (params.bounce == 0u && params.show_environment == 0u) return params.background;
    vec3 along = environment_direction(direction, params.environment_rotation);
    return params.environment_scale * environment_background(panorama, along);
}

// Light of the surroundings by the maps made of them: all that a matt surface gets, and the share
// of reflections that roughness blurs, which a single mirrored ray would show too sharp.
vec3 from_around(Surface surface, Scattering s, vec3 mirror, vec3 fresnel, float gloss) {
    vec3 normal = environment_direction(surface.normal, params.environment_rotation);
    vec3 towards = environment_direction(mirror, params.environment_rotation);
    vec3 diffuse = s.base * (1.0 - fresnel) * environment_diffuse(normal, irradiance.coefficients);
    vec3 blurred = vec3(0.0);
    if (gloss < 1.0)
        blurred = (1.0 - gloss) * fresnel *
                  environment_specular(environment_map, towards, sqrt(s.alpha));
    return params.environment_scale * surface.occlusion * (diffuse + blurred);
}

ShadowRay to_sun(Surface surface, Scattering s, vec3 view, uint triangle) {
    ShadowRay shadow = no_shadow_ray();
    float n_dot_l = dot(surface.normal, params.sun_direction);
    if (n_dot_l <= 0.0 || dot(surface.face, params.sun_direction) <= 0.0) return shadow;
    shadow.light = params.sun_irradiance * n_dot_l *
                   reflected_light(s, surface.normal, view, params.sun_direction);
    if (all(equal(shadow.light, vec3(0.0)))) return shadow;
    shadow.ray = Ray(off_surface(surface.position, surface.face), kFar, params.sun_direction,
                     triangle);
    return shadow;
}

void main() {
    uint i = invocation_index();
    uint slot = slot_at(i, params.slots);
    if (slot == kNoPath) return;
    Ray ray = ray_at(slot);
    bool first_pass = params.first_material == 0u; // does what belongs to no material
    if (is_dead(ray)) {
        if (first_pass) store_dead(i, slot);
        return;
    }
    Hit hit = hit_at(slot);
    Path path = path_at(slot);
    if (hit.triangle == kNoTriangle) {
        if (!first_pass) return;
        path.radiance += path.throughput * seen_behind(ray.direction);
        store(i, slot, path, no_ray(), no_cone(), no_shadow_ray());
        return;
    }
    uint material = material_at(hit, slot, params.slots);
    if (material < params.first_material || material >= params.end_material) return;

    Cone cone = cone_after(cone_at(slot), hit.t);
    Surface surface = surface_of_hit(hit, slot, params.slots, ray.direction, cone.width,
                                     params.texture_ids);
    float there = coverage(surface);
    vec3 behind = path.throughput * (1.0 - there);
    path.throughput *= there;
    ShadowRay shadow = no_shadow_ray();
    Ray next = no_ray();
    Cone next_cone = cone;
    if (there > 0.0 && (surface.flags & kMaterialUnlit) != 0u) {
        path.radiance += path.throughput * surface.base_color.rgb;
    } else if (there > 0.0) {
        vec3 view = -ray.direction;
        float roughness = surface.roughness * params.roughness_scale;
        Scattering s = scattering_of(surface.base_color.rgb, surface.metallic, roughness,
                                     params.specular);
        float gloss = 1.0 - clamp(roughness, 0.0, 1.0);
        vec3 fresnel = fresnel_at(s, dot(surface.normal, view));
        vec3 mirror = mirrored(ray.direction, surface.normal, surface.face);
        path.radiance += path.throughput *
                         (surface.emissive + from_around(surface, s, mirror, fresnel, gloss));
        shadow = to_sun(surface, s, view, hit.triangle);
        shadow.light *= path.throughput;
        if (params.shadows == 0u && !is_dead(shadow.ray)) {
            path.radiance += shadow.light;
            shadow = no_shadow_ray();
        }
        path.throughput *= gloss * fresnel;
        if (any(greaterThan(path.throughput, vec3(0.0))))
            next = Ray(off_surface(surface.position, surface.face), kFar, mirror, hit.triangle);
        float lobe = is_mirror(s) ? 0.0 : lobe_of(s.alpha);
        next_cone = reflected_cone(cone, surface.curvature,
                                   dot(surface.face, ray.direction), lobe, params.cones);
    }
    if (there < 1.0) { // what is seen through counts for more than what is mirrored
        path.throughput = behind;
        next = Ray(off_surface(surface.position, -surface.face), kFar, ray.direction, hit.triangle);
        next_cone = cone;
    }
    if (params.bounce >= params.last_bounce) next = no_ray();
    store(i, slot, path, next, next_cone, shadow);
}
