#version 460
// How much light each triangle gives: what emitting triangles are chosen by. Those whose emission is
// a picture, that are cut away or seen through, or that show their colour whatever the light, are
// left to scattered rays.

layout(local_size_x = 64) in;

#include "invocation.glsl"

uniform Params {
    uint vertex_count;
    uint triangle_count;
} params;

#include "bvh/mesh_triangle.glsl"
#include "scene/scene.glsl"

readonly buffer Owners { uint values[]; } owners;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Materials { SceneMaterial elements[]; } materials;
writeonly buffer Weights { float values[]; } weights;

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    weights.values[i] = 0.0;
    SceneMaterial material = materials.elements[draws.elements[owners.values[i]].material];
    vec3 emissive = material.emissive;
    float brightest = max(max(emissive.x, emissive.y), emissive.z);
    bool chosen = material.emissive_texture.texture < 0 && material.alpha_mode == kAlphaOpaque &&
                  (material.flags & kMaterialUnlit) == 0u && brightest > 0.0;
    Corners corners = mesh_triangle(i, params.vertex_count);
    if (!chosen || corners.kind != kProper) return;
    float weight =
        0.5 * length(cross(corners.b - corners.a, corners.c - corners.a)) * brightest;
    if (weight < 1e30) weights.values[i] = weight;
}
