#version 460
// Triangles for the device's own rasterizer, with their numbers.

readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;

uniform Params {
    mat4 clip_from_mesh;
} params;

layout(location = 0) flat out uint triangle;

void main() {
    uint vertex = indices.values[gl_VertexIndex];
    vec3 p = vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                  positions.values[3u * vertex + 2u]);
    triangle = uint(gl_VertexIndex) / 3u;
    gl_Position = params.clip_from_mesh * vec4(p, 1.0);
}
