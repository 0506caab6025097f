#version 460
// Draws faces of media.

// Faces of a medium's mesh, three corners a triangle. Depth does not matter but that nothing lies
// nearer than `near_plane`; there is no far plane, for a face cut off would be missed.

#include "capture_params.glsl"

readonly buffer Positions { float values[]; } positions;
readonly buffer Indices { uint values[]; } indices;
readonly buffer Normals { float values[]; } normals;

layout(location = 0) flat out vec3 plane_normal; // of any length
layout(location = 1) flat out vec3 plane_point;  // from the eye
layout(location = 2) out vec3 place;             // from the eye
layout(location = 3) out vec3 normal;
layout(location = 4) flat out uint medium;

invariant gl_Position;

bool are_numbers(vec3 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec3(0x7f800000u)));
}

vec3 vertex_position(uint vertex) {
    uint at = 3u * vertex;
    return vec3(positions.values[at], positions.values[at + 1u], positions.values[at + 2u]);
}

void main() {
    uint triangle = uint(gl_VertexIndex) / 3u;
    uint corner = uint(gl_VertexIndex) - 3u * triangle;
    uint vertices = uint(positions.values.length()) / 3u;
    vec3 points[3];
    bool proper = true;
    for (uint k = 0u; k < 3u; ++k) {
        uint vertex = indices.values[3u * triangle + k];
        proper = proper && vertex < vertices;
        points[k] = proper ? vertex_position(vertex) : vec3(0.0);
        proper = proper && are_numbers(points[k]);
    }
    uint own = indices.values[3u * triangle + corner];
    precise vec4 clip = params.view_projection * vec4(points[corner], 1.0);
    gl_Position = proper ? vec4(clip.xy, clip.w - params.near_plane, clip.w)
                         : vec4(0.0, 0.0, 0.0, 1.0); // no area
    plane_point = points[0] - params.eye;
    plane_normal = cross(points[1] - points[0], points[2] - points[0]);
    place = points[corner] - params.eye;
    normal = plane_normal;
    if (proper && 3u * own + 2u < uint(normals.values.length()))
        normal = vec3(normals.values[3u * own], normals.values[3u * own + 1u],
                      normals.values[3u * own + 2u]);
    medium = uint(gl_InstanceIndex);
}
