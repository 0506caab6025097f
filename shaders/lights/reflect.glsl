// What a surface sends to the eye of a light: diffuse and GGX, as glTF's metallic-roughness
// materials do.
#ifndef LIGHTS_REFLECT
#define LIGHTS_REFLECT

#include "light.glsl"
#include "scene/ggx.glsl"

const float kDielectricF0 = 0.04;
const float kLeastAlpha = 0.002;

struct LitSurface {
    vec3 position;
    vec3 normal;
    vec3 view; // towards the eye
    vec3 base; // what is reflected diffusely
    vec3 f0;
    float alpha;
};

LitSurface lit_surface(vec3 position, vec3 normal, vec3 view, vec3 color, float roughness,
                       float metallic) {
    LitSurface surface;
    surface.position = position;
    surface.normal = normal * inversesqrt(max(dot(normal, normal), 1e-12));
    surface.view = normalize(view);
    surface.base = color * (1.0 - metallic);
    surface.f0 = mix(vec3(kDielectricF0), color, metallic);
    surface.alpha = max(roughness * roughness, kLeastAlpha);
    return surface;
}

bool is_in_range(vec4 sphere, vec3 position) {
    vec3 to_light = sphere.xyz - position;
    return sphere.w > 0.0 && dot(to_light, to_light) < sphere.w * sphere.w;
}

vec3 reflected(vec4 sphere, LightShade light, LitSurface surface) {
    if (!shines(sphere, light)) return vec3(0.0);
    vec3 to_light = sphere.xyz - surface.position;
    float squared = dot(to_light, to_light);
    vec3 direction = to_light * inversesqrt(max(squared, 1e-20));
    float n_dot_l = dot(surface.normal, direction);
    float share = cone_share(light, -direction);
    if (!(n_dot_l > 0.0 && share > 0.0)) return vec3(0.0);
    vec3 half_vector = normalize(direction + surface.view);
    float n_dot_v = max(dot(surface.normal, surface.view), 1e-4);
    vec3 fresnel = fresnel_schlick(surface.f0, dot(surface.view, half_vector));
    float specular = ggx_distribution(clamp(dot(surface.normal, half_vector), 0.0, 1.0),
                                      surface.alpha) *
                     ggx_visibility(n_dot_l, n_dot_v, surface.alpha);
    vec3 reflectance = surface.base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
    return light.color * (falloff(squared, sphere.w) * share * n_dot_l) * reflectance;
}

#endif
