// Places a vertex of one draw of a scene. The instance index is the draw's.

#include "scene/scene.glsl"
#include "scene/mesh_params.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent; // w: sign of the bitangent
layout(location = 3) out vec4 color;
layout(location = 4) out vec4 coordinates; // uv0, uv1
layout(location = 5) flat out uint material_index;
layout(location = 6) flat out uint mirrored;

// Members are read one by one: copies of whole structs would load what is not needed.
#define VERTEX vertices.elements[vertex]
#define DRAW draws.elements[gl_InstanceIndex]
#define TRANSFORM transforms.elements[transform]

void place_vertex(uint vertex) {
    uint transform = DRAW.transform;
    mat4 world = TRANSFORM.world;
    vec4 position = world * vec4(VERTEX.position, 1.0);
    mirrored = DRAW.flags & kDrawMirrored;
    // A transform that mirrors also turns the cross product of normal and tangent around.
    float handedness = mirrored != 0u ? -1.0 : 1.0;
    world_position = position.xyz;
    world_normal = mat3(TRANSFORM.normal) * VERTEX.normal;
    vec4 tangent = VERTEX.tangent;
    world_tangent = vec4(mat3(world) * tangent.xyz, handedness * tangent.w);
    color = vertex_color(VERTEX.color_rg, VERTEX.color_ba);
    coordinates = vec4(VERTEX.uv0, VERTEX.uv1);
    material_index = DRAW.material;
    gl_Position = params.view_projection * position;
}
