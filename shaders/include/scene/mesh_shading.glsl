// Shades glTF metallic-roughness materials under one directional light and an environment. Fragment
// stage: what scene/mesh_vertex.glsl hands on.

// Curvature within a pixel, added to the roughness so that small highlights neither sparkle nor
// alias (Kaplanyan et al., "Filtering Distributions of Normals for Shading Antialiasing", HPG 2016;
// Tokuyoshi and Kaplanyan, "Improved Geometric Specular Antialiasing", I3D 2019). `normal` is the
// interpolated one, whose derivatives are continuous across triangles. Fragment stage.
float filtered_alpha(vec3 normal, float alpha) {
    const float kPixelVariance = 0.25; // of a half-pixel filter, sigma squared
    const float kMaxAdded = 0.18;
    vec3 dx = dFdx(normal);
    vec3 dy = dFdy(normal);
    float added = min(2.0 * kPixelVariance * (dot(dx, dx) + dot(dy, dy)), kMaxAdded);
    return sqrt(clamp(alpha * alpha + added, 0.0, 1.0));
}

#include "scene/mesh_params.glsl"
#include "scene/scene.glsl"
#include "scene/material_texture.glsl"
#include "scene/lighting.glsl"

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;
uniform sampler2D metallic_roughness_map;
uniform sampler2D normal_map;
uniform sampler2D occlusion_map;
uniform sampler2D emissive_map;

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec4 world_tangent;
layout(location = 3) in vec4 vertex_tint;
layout(location = 4) in vec4 coordinates;
layout(location = 5) flat in uint material_index;
layout(location = 6) flat in uint mirrored;

const float kBrightest = 65504.0; // the largest half; infinity would spread through any filter

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

Surface surface_at() {
    vec3 normal = normalize(world_normal);
    // The back of a double-sided face has the opposite normal, map and all. A transform that
    // mirrors shows the front of its faces as clockwise ones.
    float side = gl_FrontFacing != (mirrored != 0u) ? 1.0 : -1.0;
    Surface surface;
    surface.face_normal = normal * side;
    surface.normal = normal * side;
    if (MATERIAL.normal_texture.texture >= 0)
        surface.normal = side * mapped_normal(normal_map, MATERIAL.normal_texture, coordinates,
                                              MATERIAL.normal_scale, normal, world_tangent);
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
    float alpha =
        max(filtered_alpha(surface.face_normal, surface.roughness * surface.roughness), kSmoothest);
    return lit(Lit(world_position, surface.normal, surface.face_normal, surface.base_color.rgb,
                   surface.metallic, alpha, surface.occlusion),
               view) +
           surface.emissive;
}

// Scene-linear colour, not multiplied by alpha, and the alpha of the material's texture and factors.
// To be called before any discard, for textures need neighbours.
vec4 shaded_surface() {
    Surface surface = surface_at();
    vec3 color = surface.base_color.rgb;
    if ((MATERIAL.flags & kMaterialUnlit) == 0u)
        color = shade(surface, normalize(params.eye.xyz - params.eye.w * world_position));
    color = mix(min(color, kBrightest), vec3(0.0), isnan(color));
    return vec4(color, surface.base_color.a);
}
