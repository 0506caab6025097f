#version 460
// Before the first level: all of the cage.

layout(local_size_x = 1) in;

#include "state.glsl"

writeonly buffer Status { SubdivisionState elements[]; } subdivision_status;
writeonly buffer Step { LevelStep value; } step_of_level;
writeonly buffer RecordCount { uint value; } record_count;
writeonly buffer BornCount { uint value; } born_count;

uniform Params {
    uint triangle_count;
    uint vertex_count;
    uint triangle_room;
} params;

void main() {
    subdivision_status.elements[0] =
        SubdivisionState(0u, params.vertex_count, 0u, 0u, params.triangle_count, params.triangle_room);
    step_of_level.value = LevelStep(0u, 0u, 0u, params.triangle_count);
    record_count.value = params.triangle_count;
    born_count.value = params.vertex_count;
}
