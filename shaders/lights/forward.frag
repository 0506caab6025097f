#version 460
//! vertex lights/forward
// Surfaces of a scene in the light of the lists of their tiles, as lights/shade lights those of a
// picture.

#include "scene/scene.glsl"
#include "scene/material_texture.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes
layout(constant_id = 1) const uint kOwnMaterials = 0u; // 1: roughness and metallic are the scene's

#include "forward_params.glsl"

readonly buffer Materials { SceneMaterial elements[]; } materials;
uniform sampler2D base_color_map;
uniform sampler2D normal_map;
uniform sampler2D metallic_roughness_map;

layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec4 world_tangent;
layout(location = 3) in vec4 vertex_tint;
layout(location = 4) in vec4 coordinates;
layout(location = 5) flat in uint material_index;
layout(location = 6) flat in uint mirrored;

layout(location = 0) out vec4 color;

#define MATERIAL materials.elements[material_index]

void main() {
    vec4 base = MATERIAL.base_color * vertex_tint;
    if (MATERIAL.base_color_texture.texture >= 0)
        base *= material_texture(base_color_map, MATERIAL.base_color_texture, coordinates);
    vec3 front = normalize(world_normal);
    if (MATERIAL.normal_texture.texture >= 0)
        front = mapped_normal(normal_map, MATERIAL.normal_texture, coordinates,
                              MATERIAL.normal_scale, front, world_tangent);
    vec2 kind = vec2(params.roughness, params.metallic);
    if (kOwnMaterials != 0u) {
        kind = vec2(MATERIAL.roughness, MATERIAL.metallic);
        if (MATERIAL.metallic_roughness_texture.texture >= 0)
            kind *= material_texture(metallic_roughness_map, MATERIAL.metallic_roughness_texture,
                                     coordinates)
                        .gb;
    }
    if (kAlphaTest != 0 && MATERIAL.alpha_mode == kAlphaMask && base.a < MATERIAL.alpha_cutoff)
        discard;
    float side = gl_FrontFacing != (mirrored != 0u) ? 1.0 : -1.0;
    // The place by depth, as lists know it.
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    Seen seen = seen_at(vec2(pixel), params.size, gl_FragCoord.z, params.scale, params.depth_terms,
                        params.perspective, params.world_from_view);
    LitSurface surface = lit_surface(seen.position, side * front, seen.view, base.rgb,
                                     kind.x, kind.y);
    Grid grid = Grid(params.count, params.words, params.summary_words, params.room, params.side,
                     params.tiles_x, params.lists_a_tile, params.bin_terms);
    vec3 sum = light_at(pixel, gl_FragCoord.z, seen.away, surface, 0u, grid);
    color = vec4(params.ambient * base.rgb + sum, 1.0);
}
