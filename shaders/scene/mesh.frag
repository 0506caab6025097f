#version 460
// Shades glTF metallic-roughness materials under one directional light and an environment.

#include "environment.glsl"
#include "mesh_params.glsl"
#include "microfacet.glsl"
#include "scene.glsl"
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

layout(location = 0) out vec4 result; // scene-linear, multiplied by alpha

const float kDielectricF0 = 0.04;
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

vec2 uv_of(TextureSlot slot) {
    return slot_coordinates(slot, coordinates.xy, coordinates.zw);
}

vec3 mapped_normal(SceneMaterial material, vec3 normal, float side) {
    vec3 tangent = world_tangent.xyz - normal * dot(normal, world_tangent.xyz);
    float size = length(tangent);
    if (material.normal_texture.texture < 0 || size < 1e-6) return normal;
    tangent /= size;
    vec3 bitangent = cross(normal, tangent) * world_tangent.w;
    vec3 texel = texture(normal_map, uv_of(material.normal_texture)).xyz * 2.0 - 1.0;
    texel.xy *= material.normal_scale * side;
    return normalize(tangent * texel.x + bitangent * texel.y + normal * texel.z);
}

Surface surface_at(SceneMaterial material) {
    // The back of a double-sided face has the opposite normal.
    float side = gl_FrontFacing ? 1.0 : -1.0;
    vec3 normal = normalize(world_normal) * side;
    Surface surface;
    surface.face_normal = normal;
    surface.normal = mapped_normal(material, normal, side);
    surface.base_color = material.base_color * vertex_tint;
    if (material.base_color_texture.texture >= 0)
        surface.base_color *= texture(base_color_map, uv_of(material.base_color_texture));
    surface.metallic = material.metallic;
    surface.roughness = material.roughness;
    if (material.metallic_roughness_texture.texture >= 0) {
        vec4 texel = texture(metallic_roughness_map, uv_of(material.metallic_roughness_texture));
        surface.roughness *= texel.g;
        surface.metallic *= texel.b;
    }
    surface.roughness *= params.roughness_scale;
    surface.occlusion = 1.0;
    if (material.occlusion_texture.texture >= 0) {
        float texel = texture(occlusion_map, uv_of(material.occlusion_texture)).r;
        surface.occlusion = mix(1.0, texel, material.occlusion_strength);
    }
    surface.emissive = material.emissive;
    if (material.emissive_texture.texture >= 0)
        surface.emissive *= texture(emissive_map, uv_of(material.emissive_texture)).rgb;
    return surface;
}

vec3 shade(Surface surface, vec3 view) {
    vec3 normal = surface.normal;
    float n_dot_v = max(dot(normal, view), 1e-4);
    vec3 base = surface.base_color.rgb * (1.0 - surface.metallic);
    vec3 f0 = mix(vec3(kDielectricF0), surface.base_color.rgb, surface.metallic);
    float alpha =
        max(filtered_alpha(normal, surface.roughness * surface.roughness), kSmoothest);

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
        vec3 reflected = base * (1.0 - fresnel) / kPi + fresnel * specular;
        radiance = params.light_irradiance * (lit * n_dot_l) * reflected;
    }

    // The environment.
    float roughness = sqrt(alpha);
    EnvironmentWeights weights =
        environment_weights(environment_dfg(dfg, n_dot_v, roughness), f0, base);
    vec3 towards = environment_direction(reflect(-view, normal), params.environment_rotation);
    vec3 around = environment_direction(normal, params.environment_rotation);
    vec3 environment = weights.specular * environment_specular(environment_map, towards, roughness) +
                       weights.diffuse * environment_diffuse(around, irradiance.coefficients);
    return radiance + params.environment_scale * environment * surface.occlusion +
           surface.emissive;
}

void main() {
    SceneMaterial material = materials.elements[material_index];
    Surface surface = surface_at(material); // before any discard, for textures need neighbours
    float alpha = material.alpha_mode == kAlphaBlend ? clamp(surface.base_color.a, 0.0, 1.0) : 1.0;
    vec3 color = surface.base_color.rgb + surface.emissive;
    if ((material.flags & kMaterialUnlit) == 0u)
        color = shade(surface, normalize(params.eye.xyz - params.eye.w * world_position));
    if (kAlphaTest != 0 && material.alpha_mode == kAlphaMask &&
        surface.base_color.a < material.alpha_cutoff)
        discard;
    result = vec4(color * alpha, alpha);
}
