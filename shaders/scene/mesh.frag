#version 460
// Shades glTF metallic-roughness materials under one directional light and an environment.

#include "environment.glsl"
#include "filtered_alpha.glsl"
#include "mesh_params.glsl"
#include "microfacet.glsl"
#include "scene.glsl"
#include "material_texture.glsl"
#include "shadow.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;
uniform sampler2D metallic_roughness_map;
uniform sampler2D normal_map;
uniform sampler2D occlusion_map;
uniform sampler2D emissive_map;
uniform sampler2D shadow_map;
uniform samplerCube environment_map;
uniform sampler2D dfg;
uniform Irradiance { vec4 coefficients[9]; } irradiance;

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec4 world_tangent;
layout(location = 3) in vec4 vertex_tint;
layout(location = 4) in vec4 coordinates;
layout(location = 5) flat in uint material_index;
layout(location = 6) flat in uint mirrored;

layout(location = 0) out vec4 result; // scene-linear, multiplied by alpha

const float kDielectricF0 = 0.04;
const float kBrightest = 65504.0; // the largest half; infinity would spread through any filter
const float kSmoothest = 0.002; // alpha; a perfect mirror has no highlight of a point light

struct Surface {
    vec4 base_color;
    vec3 emissive;
    vec3 normal;
    vec3 face_normal;
    float metallic;
    float roughness; // perceptual
    float occlusion;
};

// Members are read where they are needed: a copy of the whole material would cost every fragment 56
// loads.
#define MATERIAL materials.elements[material_index]
#define LOOK_UP(map, slot) material_texture(map, MATERIAL.slot, coordinates)

// The normal of the face's front, as the normal map tilts it.
vec3 mapped_normal(vec3 normal) {
    vec3 tangent = world_tangent.xyz - normal * dot(normal, world_tangent.xyz);
    float size = length(tangent);
    if (MATERIAL.normal_texture.texture < 0 || size <= 1e-6 * length(world_tangent.xyz))
        return normal;
    tangent /= size;
    vec3 bitangent = cross(normal, tangent) * sign(world_tangent.w);
    vec3 texel = LOOK_UP(normal_map, normal_texture).xyz * 2.0 - 1.0;
    texel.xy *= MATERIAL.normal_scale;
    return normalize(tangent * texel.x + bitangent * texel.y + normal * texel.z);
}

Surface surface_at() {
    vec3 normal = normalize(world_normal);
    // The back of a double-sided face has the opposite normal, map and all. A transform that
    // mirrors shows the front of its faces as clockwise ones.
    float side = gl_FrontFacing != (mirrored != 0u) ? 1.0 : -1.0;
    Surface surface;
    surface.face_normal = normal * side;
    surface.normal = mapped_normal(normal) * side;
    surface.base_color = MATERIAL.base_color * vertex_tint;
    if (MATERIAL.base_color_texture.texture >= 0)
        surface.base_color *= LOOK_UP(base_color_map, base_color_texture);
    surface.metallic = MATERIAL.metallic;
    surface.roughness = MATERIAL.roughness;
    if (MATERIAL.metallic_roughness_texture.texture >= 0) {
        vec4 texel = LOOK_UP(metallic_roughness_map, metallic_roughness_texture);
        surface.roughness *= texel.g;
        surface.metallic *= texel.b;
    }
    surface.roughness *= params.roughness_scale;
    surface.occlusion = 1.0;
    if (MATERIAL.occlusion_texture.texture >= 0) {
        float texel = LOOK_UP(occlusion_map, occlusion_texture).r;
        surface.occlusion = mix(1.0, texel, MATERIAL.occlusion_strength);
    }
    surface.emissive = MATERIAL.emissive;
    if (MATERIAL.emissive_texture.texture >= 0)
        surface.emissive *= LOOK_UP(emissive_map, emissive_texture).rgb;
    return surface;
}

vec3 shade(Surface surface, vec3 view) {
    vec3 normal = surface.normal;
    float n_dot_v = max(dot(normal, view), 1e-4);
    vec3 base = surface.base_color.rgb * (1.0 - surface.metallic);
    vec3 f0 = mix(vec3(kDielectricF0), surface.base_color.rgb, surface.metallic);
    float alpha =
        max(filtered_alpha(surface.face_normal, surface.roughness * surface.roughness), kSmoothest);

    // The directional light.
    vec3 light = params.light_direction;
    float n_dot_l = dot(normal, light);
    vec3 radiance = vec3(0.0);
    if (n_dot_l > 0.0 && dot(surface.face_normal, light) > 0.0) {
        vec3 half_vector = normalize(light + view);
        vec3 fresnel = fresnel_schlick(f0, dot(view, half_vector));
        float specular = ggx_distribution(clamp(dot(normal, half_vector), 0.0, 1.0), alpha) *
                         ggx_visibility(n_dot_l, n_dot_v, alpha);
        float lit = 1.0;
        if (params.shadows != 0u)
            lit = shadow(shadow_map, params.light_view_projection, world_position,
                         surface.face_normal, light, params.light_texel);
        vec3 reflected = base * (1.0 - fresnel) / kGgxPi + fresnel * specular;
        radiance = params.light_irradiance * (lit * n_dot_l) * reflected;
    }

    // The environment.
    float roughness = sqrt(alpha);
    EnvironmentWeights weights =
        environment_weights(environment_dfg(dfg, n_dot_v, roughness), f0, base);
    vec3 towards = environment_direction(reflect(-view, normal), params.environment_rotation);
    vec3 around = environment_direction(normal, params.environment_rotation);
    vec3 environment =
        weights.specular * environment_specular(environment_map, towards, roughness) +
        weights.diffuse * environment_diffuse(around, irradiance.coefficients);
    return radiance + params.environment_scale * environment * surface.occlusion +
           surface.emissive;
}

void main() {
    uint alpha_mode = MATERIAL.alpha_mode;
    Surface surface = surface_at(); // before any discard, for textures need neighbours
    float alpha = alpha_mode == kAlphaBlend ? clamp(surface.base_color.a, 0.0, 1.0) : 1.0;
    vec3 color = surface.base_color.rgb;
    if ((MATERIAL.flags & kMaterialUnlit) == 0u)
        color = shade(surface, normalize(params.eye.xyz - params.eye.w * world_position));
    if (kAlphaTest != 0 && alpha_mode == kAlphaMask &&
        surface.base_color.a < MATERIAL.alpha_cutoff)
        discard;
    result = vec4(min(color, kBrightest) * alpha, alpha);
}
