#version 460
// A corner of a mesh's triangles.

#include "vertex.glsl"

uniform Params {
    mat4 clip_from_world;
    vec4 sun;
    vec2 bounds;
    float tint;
    float natural;
} params;

readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Vertices { TerrainVertex elements[]; } vertices;

layout(location = 0) out vec3 world;
layout(location = 1) out vec4 normal;
layout(location = 2) out vec4 place;

invariant gl_Position;

void main() {
    uint i = indices.values[gl_VertexIndex];
    world = vec3(positions.values[3u * i], positions.values[3u * i + 1u],
                 positions.values[3u * i + 2u]);
    normal = vertices.elements[i].normal;
    place = vertices.elements[i].place;
    gl_Position = params.clip_from_world * vec4(world, 1.0);
}
