#version 460
// Places the corners of triangles.

// Places the corners of a draw's triangles, and numbers the triangles as geometry/triangles does.

#include "scene/mesh_vertex.glsl"

readonly buffer Indices { uint values[]; } indices;
readonly buffer Starts { uvec2 values[]; } starts;

layout(location = 7) flat out uint triangle;

void main() {
    uint corner = uint(gl_VertexIndex);
    uint vertex = uint(int(indices.values[DRAW.first_index + corner]) + DRAW.vertex_offset);
    triangle = starts.values[gl_InstanceIndex].y + corner / 3u;
    place_vertex(vertex);
}
