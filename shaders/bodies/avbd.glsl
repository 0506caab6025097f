// Augmented vertex block descent (C. Giles, E. Diaz and C. Yuksel, "Augmented Vertex Block Descent",
// SIGGRAPH 2025): bodies go to where the energy of inertia, contacts and joints is least, a body at a time with
// the others fixed; contacts push with a spring, whose stiffness grows, and with what they had before.
#ifndef BODIES_AVBD
#define BODIES_AVBD

vec4 avbd_row(uint k, uint s) {
    return rows.values[k * params.stride + s];
}

// How far a body has gone in the step. Where many bodies move at once, each knows of itself alone how
// far it has come.
#ifdef AVBD_OWN
uint own_body;
vec3 own_way;
vec3 own_turn;
vec3 way_gone(uint body) {
    return body == own_body ? own_way : shifts.values[2u * body].xyz;
}
vec3 turn_gone(uint body) {
    return body == own_body ? own_turn : shifts.values[2u * body + 1u].xyz;
}
#else
vec3 way_gone(uint body) {
    return shifts.values[2u * body].xyz;
}
vec3 turn_gone(uint body) {
    return shifts.values[2u * body + 1u].xyz;
}
#endif

// How far a point of a body has.
vec3 gone(uint body, vec3 r) {
    return way_gone(body) + cross(turn_gone(body), r);
}

// A point of contact: gap and shifts along the three axes, and the forces there (the first is not above 0).
struct Touch {
    vec3 ra;
    vec3 rb;
    vec3 axes[3];
    vec3 by;
    vec3 force;
    vec3 stiffness;
    float pull; // the first of the forces, above 0 as well
};

Touch touch_at(uint s, uvec2 bodies, uint k) {
    Touch t;
    vec4 normal = avbd_row(0u, s);
    vec3 apart = avbd_row(1u, s).xyz;
    t.ra = avbd_row(2u + k, s).xyz;
    t.rb = t.ra + apart;
    t.axes[0] = normal.xyz;
    across(normal.xyz, t.axes[1], t.axes[2]);
    vec3 shift = gone(bodies.y, t.rb) - gone(bodies.x, t.ra);
    // What is wanted of the step: a gap may close, of an overlap a share is mended, which is no spring that
    // has been pressed together, and what bounces parts.
    float start = params.inverse_dt > 0.0 ? avbd_row(2u + k, s).w / params.inverse_dt : 0.0;
    t.by = vec3(start + dot(shift, t.axes[0]), dot(shift, t.axes[1]), dot(shift, t.axes[2]));
    t.stiffness = stiffnesses.values[k * params.stride + s].xyz;
    t.force = t.stiffness * t.by + forces.values[k * params.stride + s].xyz;
    t.pull = t.force.x;
    t.force.x = min(t.force.x, 0.0);
    float most = normal.w * -t.force.x;
    float size = length(t.force.yz);
    if (size > most) t.force.yz *= most / max(size, 1e-30);
    return t;
}
#endif
