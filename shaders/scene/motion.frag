#version 460
// How far what is seen has moved in the picture since the frame before, in texels.

#include "scene/scene.glsl"
#include "scene/material_texture.glsl"
#include "motion_params.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;

layout(location = 0) in vec4 now;
layout(location = 1) in vec4 then;
layout(location = 2) in vec4 coordinates;
layout(location = 3) in float opacity;
layout(location = 4) flat in uint material_index;

layout(location = 0) out vec4 motion;

#define MATERIAL materials.elements[material_index]

void main() {
    if (kAlphaTest != 0) {
        float alpha = MATERIAL.base_color.a * opacity;
        if (MATERIAL.base_color_texture.texture >= 0)
            alpha *= material_texture(base_color_map, MATERIAL.base_color_texture, coordinates).a;
        if (MATERIAL.alpha_mode == kAlphaMask && alpha < MATERIAL.alpha_cutoff) discard;
    }
    // Before the first frame there was none, and what was behind the camera has no place.
    vec2 moved = then.w > 0.0 ? now.xy / now.w - then.xy / then.w : vec2(0.0);
    motion = vec4(0.5 * params.size * moved, 0.0, 0.0);
}
