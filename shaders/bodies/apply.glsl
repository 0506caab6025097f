// Solves a constraint and writes the velocities of the bodies that it moves.
#ifndef BODIES_APPLY
#define BODIES_APPLY

Velocity velocity_at(uint body) {
    return Velocity(motions.values[2u * body], motions.values[2u * body + 1u]);
}

void put_velocity(uint body, Velocity v) {
    motions.values[2u * body] = v.linear;
    motions.values[2u * body + 1u] = v.angular;
}

void apply(uint s, uvec4 head) {
    Both body = Both(velocity_at(head.x), velocity_at(head.y), mass_at(head.x), mass_at(head.y));
    if ((head.w & kIsJoint) != 0u) {
        solve_joint(s, head.xy, body);
    } else if (head.w == 1u) {
        solve_one_point(s, head.xy, one_point(s), body);
    } else {
        solve_contact(s, head.xy, head.w, body);
    }
    // Others read those that do not move.
    if (body.ma.first.w > 0.0) put_velocity(head.x, body.a);
    if (body.mb.first.w > 0.0) put_velocity(head.y, body.b);
}
#endif
