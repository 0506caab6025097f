#version 460
// Places the vertices of one draw in this frame and in the one before. The instance index is the
// draw's.

#include "scene/scene.glsl"
#include "motion_params.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
readonly buffer Before { mat4 matrices[]; } before; // view and projection; then the transforms
readonly buffer PositionsBefore { float values[]; } positions_before; // where vertices move

layout(constant_id = 0) const uint kAlphaTest = 0; // 1: materials of mode MASK cut holes

layout(constant_id = 1) const uint has_positions_before = 0;

layout(location = 0) out vec4 now;
layout(location = 1) out vec4 then;
layout(location = 2) out vec4 coordinates; // uv0, uv1
layout(location = 3) out float opacity;
layout(location = 4) flat out uint material_index;

// Members are read one by one: copies of whole structs would load what is not needed.
#define VERTEX vertices.elements[gl_VertexIndex]
#define DRAW draws.elements[gl_InstanceIndex]

void main() {
    vec4 position = vec4(VERTEX.position, 1.0);
    now = params.view_projection * (transforms.elements[DRAW.transform].world * position);
    if (has_positions_before != 0u) {
        uint first = 3u * uint(gl_VertexIndex);
        position.xyz = vec3(positions_before.values[first], positions_before.values[first + 1u],
                            positions_before.values[first + 2u]);
    }
    then = before.matrices[0] * (before.matrices[DRAW.transform + 1u] * position);
    coordinates = kAlphaTest != 0 ? vec4(VERTEX.uv0, VERTEX.uv1) : vec4(0.0);
    opacity = kAlphaTest != 0 ? vertex_color(VERTEX.color_rg, VERTEX.color_ba).a : 1.0;
    material_index = DRAW.material;
    gl_Position = now;
}
