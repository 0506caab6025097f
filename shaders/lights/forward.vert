#version 460
// Places the vertices of one draw of a scene, the same to the bit for depths and for colours. The
// instance index is the draw's.

#include "scene/scene.glsl"
#include "forward_params.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;

invariant gl_Position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent; // w: sign of the bitangent
layout(location = 3) out vec4 color;
layout(location = 4) out vec4 coordinates; // uv0, uv1
layout(location = 5) flat out uint material_index;
layout(location = 6) flat out uint mirrored;

// Members are read one by one: copies of whole structs would load what is not needed.
#define VERTEX vertices.elements[gl_VertexIndex]
#define DRAW draws.elements[gl_InstanceIndex]
#define TRANSFORM transforms.elements[transform]

void main() {
    uint transform = DRAW.transform;
    mat4 world = TRANSFORM.world;
    mirrored = DRAW.flags & kDrawMirrored;
    float handedness = mirrored != 0u ? -1.0 : 1.0;
    world_normal = mat3(TRANSFORM.normal) * VERTEX.normal;
    vec4 tangent = VERTEX.tangent;
    world_tangent = vec4(mat3(world) * tangent.xyz, handedness * tangent.w);
    color = vertex_color(VERTEX.color_rg, VERTEX.color_ba);
    coordinates = vec4(VERTEX.uv0, VERTEX.uv1);
    material_index = DRAW.material;
    gl_Position = params.view_projection * (world * vec4(VERTEX.position, 1.0));
}
