#version 460
// Vertices of a shadow: those of the mesh, and the same moved away from the light.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Positions { float values[]; } positions;
writeonly buffer Extruded { float values[]; } extruded;

uniform Params {
    uint vertex_count;
    vec3 step;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.vertex_count) return;
    for (uint axis = 0u; axis < 3u; ++axis) {
        float place = positions.values[3u * i + axis];
        extruded.values[3u * i + axis] = place;
        extruded.values[3u * (params.vertex_count + i) + axis] = place + params.step[axis];
    }
}
