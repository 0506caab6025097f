#version 460
//! vertex lights/forward
// Cuts the holes of masked materials into depths, which write themselves.

#include "scene/scene.glsl"
#include "scene/material_texture.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;

layout(location = 3) in vec4 vertex_tint;
layout(location = 4) in vec4 coordinates;
layout(location = 5) flat in uint material_index;

#define MATERIAL materials.elements[material_index]

void main() {
    if (kAlphaTest == 0 || MATERIAL.alpha_mode != kAlphaMask) return;
    float alpha = MATERIAL.base_color.a * vertex_tint.a;
    if (MATERIAL.base_color_texture.texture >= 0)
        alpha *= material_texture(base_color_map, MATERIAL.base_color_texture, coordinates).a;
    if (alpha < MATERIAL.alpha_cutoff) discard;
}
