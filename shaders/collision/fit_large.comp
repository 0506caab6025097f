#version 460
// Boxes of nodes with many triangles, a group each; as many groups as there are take turns.

layout(local_size_x = 256) in;

#include "fit.glsl"

readonly buffer Large { uint count; uint nodes[]; } large;

const uint kMembers = 256u;

shared vec4 sums[kMembers]; // then bounds
shared vec4 more[kMembers];
shared vec2 rest[kMembers];

void fold_moments(inout Moments m) {
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
}

void fold_bounds(inout Bounds b) {
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
}

void main() {
    uint i = gl_LocalInvocationIndex;
    for (uint k = gl_WorkGroupID.x; k < large.count; k += gl_NumWorkGroups.x) {
        uint node = large.nodes[k];
        Range range = leaves_of(node);
        Bounds straight = own_bounds(node);
        vec3 origin = 0.5 * (straight.low + straight.high);
        float scale = scale_of(straight);
        Moments moments = no_moments();
        for (uint leaf = i; leaf < range.count && kTurned != 0u; leaf += kMembers)
            add_moments(moments, range.first + leaf, origin, scale);
        fold_moments(moments);
        mat3 axes = principal_axes(moments);
        Bounds turned = no_bounds();
        for (uint leaf = i; leaf < range.count && kTurned != 0u; leaf += kMembers)
            add_bounds(turned, range.first + leaf, axes);
        fold_bounds(turned);
        if (i == 0u) write_box(node, straight, turned, axes);
    }
}
