// Bodies that hair does not enter: capsules, spheres among them, and a field of distances. A kernel
// places the capsules for its step in `bodies` first. C++: `bind_colliders` of
// passes/hair/colliders.hpp.
#ifndef HAIR_COLLIDERS
#define HAIR_COLLIDERS

#include "turn.glsl"

const uint kMostCapsules = 16u;

// Two vec4s a capsule: the ends, with the radius at each. The last vec4: 1 where they move with the
// head.
readonly buffer Capsules { vec4 values[]; } capsules;
layout(constant_id = 20) const uint has_field = 0u;
uniform sampler3D field; // distance to a surface, negative within

struct Field {
    vec3 low;  // corner of the box that it fills
    vec3 high;
    float scale; // world units of a unit of distance
};

// Of each capsule an end and the radius there; the way to the other end, and what the radius grows by;
// one over the square of the way.
shared vec4 bodies[2u * kMostCapsules];
shared float body_scales[kMostCapsules];

// Lanes below `count` each place one.
void place_capsules(uint lane, uint lanes, uint count, bool attached, Place head) {
    for (uint i = lane; i < count; i += lanes) {
        vec4 a = capsules.values[2u * i];
        vec4 b = capsules.values[2u * i + 1u];
        if (attached) {
            a.xyz = placed(head, a.xyz);
            b.xyz = placed(head, b.xyz);
        }
        vec4 way = b - a;
        float squared = dot(way.xyz, way.xyz);
        bodies[2u * i] = a;
        bodies[2u * i + 1u] = way;
        body_scales[i] = squared > 0.0 ? 1.0 / squared : 0.0;
    }
}

float field_texel(ivec3 at, ivec3 size) {
    return texelFetch(field, clamp(at, ivec3(0), size - 1), 0).x;
}

// Between texels by hand: not every device filters 32-bit floats.
float field_at(vec3 texel, ivec3 size) {
    vec3 at = texel - 0.5;
    ivec3 low = ivec3(floor(at));
    vec3 share = at - vec3(low);
    vec4 near = vec4(field_texel(low, size), field_texel(low + ivec3(1, 0, 0), size),
                     field_texel(low + ivec3(0, 1, 0), size), field_texel(low + ivec3(1, 1, 0), size));
    vec4 far = vec4(field_texel(low + ivec3(0, 0, 1), size), field_texel(low + ivec3(1, 0, 1), size),
                    field_texel(low + ivec3(0, 1, 1), size), field_texel(low + ivec3(1, 1, 1), size));
    vec4 along = mix(near, far, share.z);
    vec2 rows = mix(along.xy, along.zw, share.y);
    return mix(rows.x, rows.y, share.x);
}

// `x`, or the nearest place outside the field's surface.
vec3 out_of_field(vec3 x, Field where, float margin) {
    ivec3 size = textureSize(field, 0);
    vec3 scale = vec3(size) / (where.high - where.low);
    vec3 texel = (x - where.low) * scale;
    if (any(lessThan(texel, vec3(0.0))) || any(greaterThan(texel, vec3(size)))) return x;
    float away = field_at(texel, size) * where.scale - margin;
    if (away >= 0.0) return x;
    vec3 slope = vec3(
        field_at(texel + vec3(0.5, 0.0, 0.0), size) - field_at(texel - vec3(0.5, 0.0, 0.0), size),
        field_at(texel + vec3(0.0, 0.5, 0.0), size) - field_at(texel - vec3(0.0, 0.5, 0.0), size),
        field_at(texel + vec3(0.0, 0.0, 0.5), size) - field_at(texel - vec3(0.0, 0.0, 0.5), size)) * scale;
    float steep = length(slope);
    return steep > 0.0 ? x - slope * (away / steep) : x;
}

// `x`, or the nearest place outside capsule `i`.
vec3 out_of_capsule(vec3 x, uint i, float margin) {
    vec4 a = bodies[2u * i];
    vec4 way = bodies[2u * i + 1u];
    vec3 from = x - a.xyz;
    float share = clamp(dot(from, way.xyz) * body_scales[i], 0.0, 1.0);
    vec3 off = from - share * way.xyz;
    float radius = a.w + share * way.w + margin;
    float squared = dot(off, off);
    if (squared >= radius * radius) return x;
    float away = sqrt(squared);
    vec3 normal = away > 1e-9 ? off / away : vec3(0.0, 1.0, 0.0);
    return x + normal * (radius - away);
}

// Out of all bodies. Leaving one may lead into another: a few rounds, the last of which meets none
// where bodies leave room.
vec3 out_of_bodies(vec3 x, uint count, Field where, float margin) {
    for (uint round = 0u; round < 4u; ++round) {
        vec3 before = x;
        for (uint i = 0u; i < count; ++i) x = out_of_capsule(x, i, margin);
        if (has_field != 0u) x = out_of_field(x, where, margin);
        if (x == before) break;
    }
    return x;
}

// What a vertex that met a body does: it keeps a share of its way along the surface, as seen from
// the body, and none of that into it. `carried`: where the body has taken the place before the step.
struct Contact {
    vec3 x;
    vec3 before;
};
Contact after_contact(vec3 x, vec3 entered, vec3 before, vec3 carried, float friction, uint count,
                      Field where, float margin) {
    vec3 out_way = x - entered;
    float squared = dot(out_way, out_way);
    vec3 along = x - carried;
    if (squared > 0.0) along -= out_way * (dot(along, out_way) / squared);
    vec3 slowed = x - along * friction;
    if (friction > 0.0) slowed = out_of_bodies(slowed, count, where, margin);
    return Contact(slowed, slowed - along * (1.0 - friction) - (carried - before));
}

#endif
