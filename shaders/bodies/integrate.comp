#version 460
// Moves bodies by a step; the angular momentum of free ones stays as it is. Where the new state would not
// be finite a body stays where it is, and stops.

layout(local_size_x = 256) in;

#include "body.glsl"
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

// The orientation after the spin `w` for `dt`.
vec4 turned_by(vec4 q, vec3 w, float dt) {
    float speed = length(w);
    float angle = 0.5 * speed * dt;
    vec3 axis = speed * dt > 1e-6 ? w / speed * sin(angle) : 0.5 * dt * w;
    vec4 turned = product(vec4(axis, cos(angle)), q);
    return turned * inversesqrt(dot(turned, turned));
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec4 place = places.values[i];
    vec4 turn = turns.values[i];
    vec4 velocity = motions.values[2u * i];
    vec4 spin = motions.values[2u * i + 1u];
    vec3 shift = vec3(0.0);
    vec3 angle = vec3(0.0);
    if (masses.values[2u * i].w > 0.0) {
        vec3 inverse = sound_moments(shapes.values[2u * i + 1u].xyz, place.w, shapes.values[2u * i].xyz);
        vec4 new_place = vec4(place.xyz + params.dt * velocity.xyz, place.w);
        vec3 w = spin.xyz;
        vec4 new_turn = turn;
        vec3 new_spin = w;
        if (all(greaterThan(inverse, vec3(0.0))) && dot(w, w) > 0.0) {
            // By the spin halfway, from the momentum L = R I R^T w that does not change.
            vec3 momentum = rotated(turn, rotated_back(turn, w) / inverse);
            vec4 halfway = turned_by(turn, w, 0.5 * params.dt);
            vec3 between = rotated(halfway, rotated_back(halfway, momentum) * inverse);
            new_turn = turned_by(turn, between, params.dt);
            if (inverse.x != inverse.y || inverse.y != inverse.z)
                new_spin = rotated(new_turn, rotated_back(new_turn, momentum) * inverse);
        } else if (dot(w, w) > 0.0) {
            new_turn = turned_by(turn, w, params.dt);
        }
        if (is_finite(new_place) && is_finite(new_turn) && is_finite(new_spin) && is_finite(velocity.xyz)) {
            shift = params.dt * velocity.xyz;
            angle = params.dt * w;
            place = new_place;
            turn = new_turn;
            spin.xyz = new_spin;
        } else {
            velocity.xyz = vec3(0.0);
            spin.xyz = vec3(0.0);
            atomicAdd(status.elements[0].reset, 1u);
        }
    }
    moved.values[i] = place;
    turned.values[i] = turn;
    changed.values[2u * i] = velocity;
    changed.values[2u * i + 1u] = spin;
    if (has_shifts != 0u) {
        shifted.values[2u * i] = shifts.values[2u * i] + vec4(shift, 0.0);
        shifted.values[2u * i + 1u] = shifts.values[2u * i + 1u] + vec4(angle, 0.0);
    }
}
