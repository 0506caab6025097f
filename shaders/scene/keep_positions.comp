#version 460
// Keeps where the vertices of a scene are for the next frame.

layout(local_size_x = 128) in;

#include "scene/scene.glsl"
#include "invocation.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
writeonly buffer Kept { float values[]; } kept; // three a vertex

void main() {
    uint i = invocation_index();
    if (3u * i + 2u >= uint(kept.values.length())) return;
    vec3 position = vertices.elements[i].position;
    kept.values[3u * i] = position.x;
    kept.values[3u * i + 1u] = position.y;
    kept.values[3u * i + 2u] = position.z;
}
