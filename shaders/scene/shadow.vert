#version 460
// Places the vertices of one draw as a directional light sees them. The instance index is the
// draw's.

#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
uniform Params { mat4 view_projection; } params;

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

layout(location = 0) out vec4 coordinates; // uv0, uv1
layout(location = 1) out float opacity;
layout(location = 2) flat out uint material_index;

// Members are read one by one: copies of whole structs would load what is not needed.
#define VERTEX vertices.elements[gl_VertexIndex]
#define DRAW draws.elements[gl_InstanceIndex]

void main() {
    coordinates = kAlphaTest != 0 ? vec4(VERTEX.uv0, VERTEX.uv1) : vec4(0.0);
    opacity = kAlphaTest != 0 ? vertex_color(VERTEX.color_rg, VERTEX.color_ba).a : 1.0;
    material_index = DRAW.material;
    gl_Position = params.view_projection *
                  (transforms.elements[DRAW.transform].world * vec4(VERTEX.position, 1.0));
}
