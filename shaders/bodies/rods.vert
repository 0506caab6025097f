#version 460
// A thin rod from each joint's place to the middle of its second body, as a strip towards the eye.

#include "body.glsl"

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Joints { vec4 values[]; } joints;

uniform Params {
    mat4 view_projection;
    vec3 eye;
    uint count; // bodies
    float width;
} params;

#include "joint.glsl"

void main() {
    uint j = uint(gl_InstanceIndex);
    uvec4 head = joint_head(j);
    bool drawn = max(head.x, head.y) < params.count;
    uint body = drawn ? head.y : 0u;
    vec3 to = places.values[body].xyz;
    vec3 from = to + rotated(turns.values[body], joint_quad(j, 2u).xyz);
    vec3 at = (gl_VertexIndex & 2) != 0 ? to : from;
    vec3 along = to - from;
    vec3 aside = cross(along, params.eye - at);
    float size = length(aside);
    drawn = drawn && size > 1e-12 && is_finite(at);
    at += ((gl_VertexIndex & 1) != 0 ? 0.5 : -0.5) * params.width * aside / max(size, 1e-12);
    gl_Position = drawn ? params.view_projection * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
