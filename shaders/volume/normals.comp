#version 460
// The normals of the vertices of all draws of a scene, in the order of geometry/triangles.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Normals { float values[]; } normals;

uniform Params {
    uint draw_count;
    uint vertex_count;
} params;

#include "scene/draw_of.glsl"

void main() {
    uint i = invocation_index();
    if (i >= params.vertex_count) return;
    uint draw = draw_of(i, 0, params.draw_count);
    uint vertex = uint(draws.elements[draw].vertex_offset) + (i - starts.values[draw].x);
    vec4 local = vec4(vertices.elements[vertex].normal, 0.0);
    vec3 world = (transforms.elements[draws.elements[draw].transform].normal * local).xyz;
    normals.values[3u * i] = world.x;
    normals.values[3u * i + 1u] = world.y;
    normals.values[3u * i + 2u] = world.z;
}
