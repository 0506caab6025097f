#version 460
// Places the vertices of one draw of a scene. The instance index is the draw's.

#include "scene.glsl"
#include "mesh_params.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent; // w: sign of the bitangent
layout(location = 3) out vec4 color;
layout(location = 4) out vec4 coordinates; // uv0, uv1
layout(location = 5) flat out uint material_index;

void main() {
    Vertex vertex = vertices.elements[gl_VertexIndex];
    SceneDraw draw = draws.elements[gl_InstanceIndex];
    SceneTransform transform = transforms.elements[draw.transform];

    vec4 position = transform.world * vec4(vertex.position, 1.0);
    // A transform that mirrors also turns the cross product of normal and tangent around.
    float handedness = (draw.flags & kDrawMirrored) != 0u ? -1.0 : 1.0;
    world_position = position.xyz;
    world_normal = mat3(transform.normal) * vertex.normal;
    world_tangent = vec4(mat3(transform.world) * vertex.tangent.xyz, handedness * vertex.tangent.w);
    color = vertex_color(vertex);
    coordinates = vec4(vertex.uv0, vertex.uv1);
    material_index = draw.material;
    gl_Position = params.view_projection * position;
}
