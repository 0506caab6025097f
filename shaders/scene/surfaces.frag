#version 460
//! vertex scene/mesh
// What the surfaces of a scene are, without light: where they look, and their colour.

#include "scene/scene.glsl"
#include "scene/material_texture.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;
uniform sampler2D normal_map;

layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec4 world_tangent;
layout(location = 3) in vec4 vertex_tint;
layout(location = 4) in vec4 coordinates;
layout(location = 5) flat in uint material_index;
layout(location = 6) flat in uint mirrored;

layout(location = 0) out vec4 normal;
layout(location = 1) out vec4 albedo;

#define MATERIAL materials.elements[material_index]

void main() {
    vec4 color = MATERIAL.base_color * vertex_tint;
    if (MATERIAL.base_color_texture.texture >= 0)
        color *= material_texture(base_color_map, MATERIAL.base_color_texture, coordinates);
    vec3 front = normalize(world_normal);
    if (MATERIAL.normal_texture.texture >= 0)
        front = mapped_normal(normal_map, MATERIAL.normal_texture, coordinates,
                              MATERIAL.normal_scale, front, world_tangent);
    if (kAlphaTest != 0 && MATERIAL.alpha_mode == kAlphaMask && color.a < MATERIAL.alpha_cutoff)
        discard;
    // The back of a double-sided face has the opposite normal; a transform that mirrors shows fronts
    // as clockwise faces.
    float side = gl_FrontFacing != (mirrored != 0u) ? 1.0 : -1.0;
    normal = vec4(side * front, 1.0);
    albedo = vec4(color.rgb, 1.0);
}
