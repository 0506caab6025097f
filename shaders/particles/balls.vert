#version 460
// A square around the outline of each ball, towards the eye.

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
readonly buffer Lives { vec2 values[]; } lives; // age and span, seconds
layout(constant_id = 0) const uint has_lives = 0u;

const uint kByContacts = 1u;

uniform Params {
    mat4 view_projection;
    vec3 eye;
    vec4 sphere;
    vec3 low;
    vec3 high;
    float radius;
    float brightest; // speed, or number of contacts, of the last colour
    uint color_by; // as ParticleColor
} params;
#include "finite.glsl"

layout(location = 0) out vec3 place;
layout(location = 1) flat out vec3 center;
layout(location = 2) flat out vec2 value; // x: 0 to 1 along the colours; y: openness

void main() {
    vec3 position = positions.values[gl_InstanceIndex].xyz;
    vec4 velocity = velocities.values[gl_InstanceIndex];
    vec3 to = position - params.eye;
    float away = length(to);
    // One that takes no part, or that the eye is in, is not drawn: a square without size.
    bool drawn = is_alive(position, velocity.xyz) && away > 1.001 * params.radius;
    vec3 forward = drawn ? to / away : vec3(0.0, 0.0, 1.0);
    vec3 side = normalize(cross(forward, abs(forward.y) < 0.9 ? vec3(0.0, 1.0, 0.0)
                                                              : vec3(1.0, 0.0, 0.0)));
    vec3 upwards = cross(side, forward);
    // The cone from the eye that touches the ball is this wide at the ball's middle.
    float width = params.radius * away / sqrt(max(away * away - params.radius * params.radius,
                                                  1e-30));
    vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    place = position + (drawn ? width : 0.0) * (corner.x * side + corner.y * upwards);
    center = position;
    float shown = params.color_by == kByContacts ? velocity.w : length(velocity.xyz);
    if (has_lives != 0u) shown = lives.values[gl_InstanceIndex].x;
    value = vec2(clamp(shown / params.brightest, 0.0, 1.0), 1.0 - min(velocity.w, 8.0) * 0.07);
    gl_Position = drawn ? params.view_projection * vec4(place, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
