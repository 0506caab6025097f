#version 460
// The vertices and triangles of all draws of a scene, one draw after the other, in world space.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Vertices { Vertex elements[]; } vertices;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Draws { SceneDraw elements[]; } draws;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Positions { float values[]; } positions;
writeonly buffer Corners { uint values[]; } corners;
writeonly buffer Owners { uint values[]; } owners;

uniform Params {
    uint draw_count;
    uint vertex_count;
    uint triangle_count;
} params;

#include "scene/draw_of.glsl"

void main() {
    uint i = invocation_index();
    if (i < params.vertex_count) {
        uint draw = draw_of(i, 0, params.draw_count);
        uint vertex = uint(draws.elements[draw].vertex_offset) + (i - starts.values[draw].x);
        vec4 local = vec4(vertices.elements[vertex].position, 1.0);
        vec3 world = (transforms.elements[draws.elements[draw].transform].world * local).xyz;
        positions.values[3u * i] = world.x;
        positions.values[3u * i + 1u] = world.y;
        positions.values[3u * i + 2u] = world.z;
    }
    if (i < params.triangle_count) {
        uint draw = draw_of(i, 1, params.draw_count);
        uint first = draws.elements[draw].first_index + 3u * (i - starts.values[draw].y);
        for (uint corner = 0u; corner < 3u; ++corner)
            corners.values[3u * i + corner] =
                starts.values[draw].x + indices.values[first + corner];
        owners.values[i] = draw;
    }
}
