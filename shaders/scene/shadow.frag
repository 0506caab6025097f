#version 460
// Cuts the holes of masked materials into a shadow map; the depth writes itself.

#include "scene.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;

layout(location = 0) in vec4 coordinates;
layout(location = 1) in float opacity;
layout(location = 2) flat in uint material_index;

void main() {
    if (kAlphaTest == 0) return;
    SceneMaterial material = materials.elements[material_index];
    TextureSlot slot = material.base_color_texture;
    float alpha = material.base_color.a * opacity;
    if (slot.texture >= 0)
        alpha *= texture(base_color_map, slot_coordinates(slot, coordinates.xy, coordinates.zw)).a;
    if (material.alpha_mode == kAlphaMask && alpha < material.alpha_cutoff) discard;
}
