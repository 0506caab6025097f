#version 460
// Behind the last triangle: those that there is room for have no area. And the draw's arguments.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "state.glsl"

readonly buffer Status { SubdivisionState elements[]; } subdivision_status;
writeonly buffer Indices { uint values[]; } indices;
writeonly buffer Tags { uvec2 elements[]; } tags;
writeonly buffer Arguments { uint values[]; } arguments; // VkDrawIndexedIndirectCommand

uniform Params {
    uint triangle_room;
} params;

void main() {
    uint i = invocation_index();
    uint triangles = min(subdivision_status.elements[0].triangles, params.triangle_room);
    if (i == 0u) {
        arguments.values[0] = 3u * triangles;
        arguments.values[1] = 1u;
        arguments.values[2] = 0u;
        arguments.values[3] = 0u;
        arguments.values[4] = 0u;
    }
    if (i < triangles || i >= params.triangle_room) return;
    for (uint k = 0u; k < 3u; ++k)
        indices.values[3u * i + k] = 0u;
    tags.elements[i] = uvec2(0xffffffffu);
}
