#version 460
// What of each triangle decides how much light it lets through: see_through.glsl reads it along
// shadow rays, which so need none of the scene's arrays.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer SceneIndices { uint values[]; } scene_indices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Starts { uvec2 values[]; } starts;
readonly buffer Owners { uint values[]; } owners; // the draw of a triangle
readonly buffer Materials { SceneMaterial elements[]; } materials;
writeonly buffer SeeThrough { uvec4 quads[]; } see_through;

uniform Params {
    uint triangle_count;
} params;

vec2 placed_uv(TextureSlot slot, Vertex vertex) {
    vec2 uv = slot.uv_set == 0u ? vertex.uv0 : vertex.uv1;
    return mat2(slot.matrix.xy, slot.matrix.zw) * uv + slot.offset;
}

float alpha_of(Vertex vertex) {
    return vertex_color(vertex.color_rg, vertex.color_ba).a;
}

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    uint draw = owners.values[i];
    uint material = draws.elements[draw].material;
    uint mode = materials.elements[material].alpha_mode; // numbered as the kinds are
    TextureSlot slot = materials.elements[material].base_color_texture;
    see_through.quads[4u * i] =
        uvec4(mode, material, uint(slot.texture),
              floatBitsToUint(materials.elements[material].alpha_cutoff));
    if (mode == kAlphaOpaque) return;

    uint first = draws.elements[draw].first_index + 3u * (i - starts.values[draw].y);
    int offset = draws.elements[draw].vertex_offset;
    Vertex a = vertices.elements[uint(int(scene_indices.values[first]) + offset)];
    Vertex b = vertices.elements[uint(int(scene_indices.values[first + 1u]) + offset)];
    Vertex c = vertices.elements[uint(int(scene_indices.values[first + 2u]) + offset)];
    see_through.quads[4u * i + 1u] = floatBitsToUint(vec4(placed_uv(slot, a), placed_uv(slot, b)));
    see_through.quads[4u * i + 2u] = floatBitsToUint(vec4(placed_uv(slot, c), 0.0, 0.0));
    see_through.quads[4u * i + 3u] =
        floatBitsToUint(vec4(materials.elements[material].base_color.a, alpha_of(a), alpha_of(b),
                             alpha_of(c)));
}
