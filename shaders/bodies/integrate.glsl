// Moves a body by a step; the angular momentum of a free one stays as it is. Where the new state would not be
// finite, a body stays where it is, and stops.
#ifndef BODIES_INTEGRATE
#define BODIES_INTEGRATE

struct Moving {
    vec4 place;    // w: inverse mass
    vec4 turn;
    vec4 velocity; // w: friction
    vec4 spin;     // w: restitution
    vec3 shift;    // what it moved and turned by
    vec3 angle;
    bool was_reset;
};

// The orientation after the spin `w` for `dt`.
vec4 turned_by(vec4 q, vec3 w, float dt) {
    float speed = length(w);
    float angle = 0.5 * speed * dt;
    vec3 axis = speed * dt > 1e-6 ? w / speed * sin(angle) : 0.5 * dt * w;
    vec4 turned = product(vec4(axis, cos(angle)), q);
    return turned * inversesqrt(dot(turned, turned));
}

// `size` and `principal`: of its shape.
void move_body(inout Moving body, vec3 size, vec3 principal, float dt) {
    vec3 inverse = sound_moments(principal, body.place.w, size);
    vec4 new_place = vec4(body.place.xyz + dt * body.velocity.xyz, body.place.w);
    vec3 w = body.spin.xyz;
    vec4 new_turn = body.turn;
    vec3 new_spin = w;
    if (all(greaterThan(inverse, vec3(0.0))) && dot(w, w) > 0.0) {
        // By the spin halfway, from the momentum L = R I R^T w that does not change.
        vec3 momentum = rotated(body.turn, rotated_back(body.turn, w) / inverse);
        vec4 halfway = turned_by(body.turn, w, 0.5 * dt);
        vec3 between = rotated(halfway, rotated_back(halfway, momentum) * inverse);
        new_turn = turned_by(body.turn, between, dt);
        if (inverse.x != inverse.y || inverse.y != inverse.z)
            new_spin = rotated(new_turn, rotated_back(new_turn, momentum) * inverse);
    } else if (dot(w, w) > 0.0) {
        new_turn = turned_by(body.turn, w, dt);
    }
    body.was_reset = !(is_finite(new_place) && is_finite(new_turn) && is_finite(new_spin) &&
                       is_finite(body.velocity.xyz));
    if (body.was_reset) {
        body.velocity.xyz = vec3(0.0);
        body.spin.xyz = vec3(0.0);
        return;
    }
    body.shift = dt * body.velocity.xyz;
    body.angle = dt * w;
    body.place = new_place;
    body.turn = new_turn;
    body.spin.xyz = new_spin;
}
#endif
