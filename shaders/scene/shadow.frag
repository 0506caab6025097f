#version 460
// Cuts the holes of masked materials into a shadow map; the depth writes itself.

#include "scene/scene.glsl"
#include "scene/material_texture.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;

layout(location = 0) in vec4 coordinates;
layout(location = 1) in float opacity;
layout(location = 2) flat in uint material_index;

void main() {
    if (kAlphaTest == 0) return;
    if (materials.elements[material_index].alpha_mode != kAlphaMask) return;
    float alpha = materials.elements[material_index].base_color.a * opacity;
    TextureSlot slot = materials.elements[material_index].base_color_texture;
    if (slot.texture >= 0)
        alpha *= material_texture(base_color_map, slot, coordinates).a;
    if (alpha < materials.elements[material_index].alpha_cutoff) discard;
}
