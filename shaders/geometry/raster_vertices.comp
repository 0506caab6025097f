#version 460
// Places the vertices of a mesh on the screen.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "params.glsl"
#include "screen.glsl"

readonly buffer Positions { float values[]; } positions;
writeonly buffer Screen { ivec4 vertices[]; } screen;

void main() {
    uint i = invocation_index();
    if (i >= params.vertices) return;
    vec3 p = vec3(positions.values[3u * i], positions.values[3u * i + 1u],
                  positions.values[3u * i + 2u]);
    screen.vertices[i] = place_vertex(to_clip(params.clip_from_mesh, p), params.size);
}
