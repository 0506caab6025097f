#version 460
// Keeps the camera and the places of all draws for the next frame.

layout(local_size_x = 64) in;

#include "scene/scene.glsl"
#include "invocation.glsl"

uniform Params { mat4 view_projection; } params;

readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Kept { mat4 matrices[]; } kept;

void main() {
    uint i = invocation_index();
    if (i >= uint(kept.matrices.length())) return;
    kept.matrices[i] = i == 0u ? params.view_projection : transforms.elements[i - 1u].world;
}
