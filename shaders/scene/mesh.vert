#version 460
// Places the vertices of one draw of a scene. The instance index is the draw's.

#include "scene/mesh_vertex.glsl"

void main() {
    place_vertex(uint(gl_VertexIndex));
}
