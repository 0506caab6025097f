// Solves a constraint and writes the velocities of the bodies that it moves.
#ifndef BODIES_APPLY
#define BODIES_APPLY
#include "both.glsl"

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
