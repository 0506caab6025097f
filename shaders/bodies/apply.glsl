// The two bodies of a constraint, read from and written to Motions, which the includer declares; and solving it, below
// solver.glsl.
#ifndef BODIES_APPLY
#define BODIES_APPLY
#include "velocity.glsl"

Both both_of(uvec4 head) {
    Both body;
    body.a = Velocity(motions.values[2u * head.x], motions.values[2u * head.x + 1u]);
    body.b = Velocity(motions.values[2u * head.y], motions.values[2u * head.y + 1u]);
    body.ma = mass_at(head.x);
    body.mb = mass_at(head.y);
    return body;
}

// Others read those that do not move.
void put_velocities(uvec4 head, Both body) {
    if (body.ma.first.w > 0.0) {
        motions.values[2u * head.x] = body.a.linear;
        motions.values[2u * head.x + 1u] = body.a.angular;
    }
    if (body.mb.first.w > 0.0) {
        motions.values[2u * head.y] = body.b.linear;
        motions.values[2u * head.y + 1u] = body.b.angular;
    }
}

#ifdef BODIES_SOLVER
void apply(uint s, uvec4 head) {
    Both body = both_of(head);
    if ((head.w & kIsJoint) != 0u) {
        solve_joint(s, head.xy, body);
    } else {
        solve_contact(s, head.xy, head.w, body);
    }
    put_velocities(head, body);
}
#endif
#endif
