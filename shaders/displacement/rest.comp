#version 460
// What is left of a mesh without the triangles of a material, or of all: those get no extent.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Indices { uint values[]; } indices;
readonly buffer Owners { uint values[]; } owners; // the draw of a triangle
readonly buffer Draws { SceneDraw elements[]; } draws;
writeonly buffer Result { uint values[]; } result;

uniform Params {
    uint triangle_count;
    int material; // -1: of all
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.triangle_count) return;
    bool gone = params.material < 0 ||
                draws.elements[owners.values[i]].material == uint(params.material);
    for (uint k = 0u; k < 3u; ++k)
        result.values[3u * i + k] = indices.values[3u * i + (gone ? 0u : k)];
}
