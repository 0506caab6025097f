#version 460
// Moves bodies by a step.

#pragma tuff_exact // as in soft_together.comp
layout(local_size_x = 64) in;

#include "body.glsl"
#include "integrate.glsl"
#include "invocation.glsl"
#include "status.glsl"

layout(constant_id = 0) const uint has_shifts = 0u;

readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Shapes { vec4 values[]; } shapes;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Shifts { vec4 values[]; } shifts;
writeonly buffer Moved { vec4 values[]; } moved;
writeonly buffer Turned { vec4 values[]; } turned;
writeonly buffer Changed { vec4 values[]; } changed; // motions
writeonly buffer Shifted { vec4 values[]; } shifted;
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint count;
    float dt;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    Moving body = Moving(places.values[i], turns.values[i], motions.values[2u * i], motions.values[2u * i + 1u],
                         vec3(0.0), vec3(0.0), false);
    // Shapes are read whether or not the body moves, as they would arrive later.
    float inverse_mass = masses.values[2u * i].w;
    vec3 size = shapes.values[2u * i].xyz;
    vec3 principal = shapes.values[2u * i + 1u].xyz;
    if (inverse_mass > 0.0) move_body(body, size, principal, params.dt);
    if (body.was_reset) atomicAdd(status.elements[0].reset, 1u);
    moved.values[i] = body.place;
    turned.values[i] = body.turn;
    changed.values[2u * i] = body.velocity;
    changed.values[2u * i + 1u] = body.spin;
    if (has_shifts != 0u) {
        shifted.values[2u * i] = shifts.values[2u * i] + vec4(body.shift, 0.0);
        shifted.values[2u * i + 1u] = shifts.values[2u * i + 1u] + vec4(body.angle, 0.0);
    }
}
