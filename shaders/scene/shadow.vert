#version 460
// Places the vertices of one draw as a directional light sees them. The instance index is the
// draw's.

#include "scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
uniform Params { mat4 view_projection; } params;

layout(location = 0) out vec4 coordinates; // uv0, uv1
layout(location = 1) out float opacity;
layout(location = 2) flat out uint material_index;

void main() {
    Vertex vertex = vertices.elements[gl_VertexIndex];
    SceneDraw draw = draws.elements[gl_InstanceIndex];
    coordinates = vec4(vertex.uv0, vertex.uv1);
    opacity = vertex_color(vertex).a;
    material_index = draw.material;
    gl_Position = params.view_projection *
                  (transforms.elements[draw.transform].world * vec4(vertex.position, 1.0));
}
