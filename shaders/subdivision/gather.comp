#version 460
// The records of a cage: its triangles with the places of their neighbours.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Positions { float values[]; } positions;
readonly buffer Corners { uvec4 elements[]; } corners; // heads of records
readonly buffer Rings { uint values[]; } rings;
readonly buffer Sharpness { uint values[]; } sharpness;
writeonly buffer Gathered { uvec4 elements[]; } gathered;

uniform Params {
    uint triangle_count;
    uint ring_slots;
} params;

uvec4 point_of(uint vertex, uint word) {
    vec3 at = vec3(positions.values[3u * vertex], positions.values[3u * vertex + 1u],
                   positions.values[3u * vertex + 2u]);
    return uvec4(floatBitsToUint(at), word);
}

// An invocation writes a point.
void main() {
    uint i = invocation_index();
    if (params.triangle_count == 0u) return;
    uint slot = i / params.triangle_count;
    if (slot >= params.ring_slots + 3u) return;
    uint triangle = i - slot * params.triangle_count;
    uint vertex = slot < 3u ? corners.elements[triangle][slot + 1u]
                            : rings.values[(slot - 3u) * params.triangle_count + triangle];
    gathered.elements[i] = point_of(vertex, sharpness.values[i]);
}
