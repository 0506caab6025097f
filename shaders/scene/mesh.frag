#version 460
// Shades what a scene consists of, for blending by the alpha that is written.

#include "scene/mesh_shading.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

layout(location = 0) out vec4 result; // scene-linear, multiplied by alpha

void main() {
    uint alpha_mode = MATERIAL.alpha_mode;
    vec4 surface = shaded_surface();
    if (kAlphaTest != 0 && alpha_mode == kAlphaMask && surface.a < MATERIAL.alpha_cutoff) discard;
    float alpha = alpha_mode == kAlphaBlend ? clamp(surface.a, 0.0, 1.0) : 1.0;
    result = vec4(surface.rgb * alpha, alpha);
}
