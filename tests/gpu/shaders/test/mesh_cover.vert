#version 460
// A vertex of a mesh whose draw has indices.

readonly buffer Positions { float values[]; } positions; // three a vertex

uniform Params {
    mat4 clip_from_mesh;
} params;

void main() {
    uint at = 3u * gl_VertexIndex;
    vec3 position = vec3(positions.values[at], positions.values[at + 1u], positions.values[at + 2u]);
    gl_Position = params.clip_from_mesh * vec4(position, 1.0);
}
