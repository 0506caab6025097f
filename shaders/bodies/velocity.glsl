// Velocities of the two bodies of a constraint, and what pushes change. The includer declares Rows and Masses, and
// has the parameter `stride`.
#ifndef BODIES_VELOCITY
#define BODIES_VELOCITY

struct Velocity {
    vec4 linear; // w: friction
    vec4 angular; // w: restitution
};

vec3 at_point(Velocity v, vec3 r) {
    return v.linear.xyz + cross(v.angular.xyz, r);
}

void push(inout Velocity v, Mass m, vec3 r, vec3 impulse) {
    v.linear.xyz += m.first.w * impulse;
    v.angular.xyz += inverse_inertia(m, cross(r, impulse));
}
void twist(inout Velocity v, Mass m, vec3 impulse) {
    v.angular.xyz += inverse_inertia(m, impulse);
}

vec4 row_at(uint k, uint s) {
    return rows.values[k * params.stride + s];
}

struct Both {
    Velocity a;
    Velocity b;
    Mass ma;
    Mass mb;
};

Mass mass_at(uint body) {
    return Mass(masses.values[2u * body], masses.values[2u * body + 1u]);
}
#endif
