#version 460
// The three faces of a voxel that look towards the eye.

readonly buffer Places { vec4 values[]; } places; // center, half an edge
readonly buffer Colors { uint values[]; } colors;

uniform Params {
    mat4 view_projection;
    vec3 eye;
    float lit; // 0: colours as they are
} params;

#include "light.glsl"

layout(location = 0) flat out vec3 color;

void main() {
    vec4 place = places.values[gl_InstanceIndex];
    uint axis = uint(gl_VertexIndex) / 6u;
    uint corner = uint(gl_VertexIndex) % 6u;
    if (corner >= 3u) corner = 6u - corner; // 0 1 2, 3 2 1
    vec2 at = vec2(corner & 1u, corner >> 1u) * 2.0 - 1.0;
    vec3 to = params.eye - place.xyz;
    bool positive = to[axis] > 0.0;
    vec3 offset;
    offset[axis] = positive ? 1.0 : -1.0;
    offset[(axis + 1u) % 3u] = at.x;
    offset[(axis + 2u) % 3u] = at.y;
    color = color_of(colors.values[gl_InstanceIndex]) * mix(1.0, face_light(axis, positive), params.lit);
    gl_Position = params.view_projection * vec4(place.xyz + place.w * offset, 1.0);
}
