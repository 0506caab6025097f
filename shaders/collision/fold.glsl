// Moments and bounds of all lanes of a group, together.
#ifndef COLLISION_FOLD
#define COLLISION_FOLD

#include "fit.glsl"

const uint kMembers = 64u; // lanes of the group

shared vec4 sums[kMembers]; // then bounds
shared vec4 more[kMembers];
shared vec2 rest[kMembers];

Moments fold_moments(Moments m) {
    uint i = gl_LocalInvocationIndex;
    sums[i] = vec4(m.first, m.area);
    more[i] = vec4(m.diagonal, m.mixed.x);
    rest[i] = m.mixed.yz;
    barrier();
    for (uint half_members = kMembers / 2u; half_members > 0u; half_members >>= 1u) {
        if (i < half_members) {
            sums[i] += sums[i + half_members];
            more[i] += more[i + half_members];
            rest[i] += rest[i + half_members];
        }
        barrier();
    }
    m = Moments(sums[0].w, sums[0].xyz, more[0].xyz, vec3(more[0].w, rest[0]));
    barrier();
    return m;
}

Bounds fold_bounds(Bounds b) {
    uint i = gl_LocalInvocationIndex;
    sums[i].xyz = b.low;
    more[i].xyz = b.high;
    barrier();
    for (uint half_members = kMembers / 2u; half_members > 0u; half_members >>= 1u) {
        if (i < half_members) {
            sums[i].xyz = min(sums[i].xyz, sums[i + half_members].xyz);
            more[i].xyz = max(more[i].xyz, more[i + half_members].xyz);
        }
        barrier();
    }
    b = Bounds(sums[0].xyz, more[0].xyz);
    barrier();
    return b;
}

// One lane finds them for all: they cost more than what a lane adds up.
mat3 axes_for_all(Moments moments) {
    if (gl_LocalInvocationIndex == 0u) {
        mat3 axes = principal_axes(moments);
        sums[0].xyz = axes[0];
        more[0].xyz = axes[1];
    }
    barrier();
    mat3 axes = mat3(sums[0].xyz, more[0].xyz, cross(sums[0].xyz, more[0].xyz));
    barrier();
    return axes;
}

#endif
