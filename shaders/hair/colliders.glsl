// Bodies that hair does not enter: capsules, spheres among them, a field of distances, and rigid
// bodies. A kernel places them for its step first. C++: `bind_colliders` of
// passes/hair/colliders.hpp.
#ifndef HAIR_COLLIDERS
#define HAIR_COLLIDERS

#include "solids.glsl"
#include "turn.glsl"

const uint kMaxCapsules = 16u;

// Two vec4s a capsule: the ends, with the radius at each. The last vec4: 1 where they move with the
// head.
readonly buffer Capsules { vec4 values[]; } capsules;
layout(constant_id = 20) const uint has_field = 0u;
uniform sampler3D field; // distance to a surface, negative within

struct Field {
    vec3 low;  // corner of the box that it fills
    vec3 high;
    float scale; // world units of a unit of distance
    Place place; // of its coordinates in the world
};
// `own`: the place of the box, in the world or, `with_head`, relative to the head.
Field placed_field(vec3 low, vec3 high, float scale, Place own, bool with_head, Place head) {
    return Field(low, high, scale, with_head ? joined_places(head, own) : own);
}

// All bodies of a sub-step.
struct Bodies {
    uint capsules;
    uint solids;
    float earlier; // seconds between the end of the sub-step and the state of the solids
    Field field;
    float margin;
};

// What may be near a part of a strand: a bit a body, capsules first. Beyond the sphere it may be any.
const uint kFirstSolid = 16u;
struct Nearby {
    vec3 center;
    float reach;
    uint which;
};
uint all_bodies(Bodies all) {
    return ((1u << all.capsules) - 1u) | ((1u << all.solids) - 1u) << kFirstSolid;
}
Nearby anything(Bodies all) {
    return Nearby(vec3(0.0), 1e30, all_bodies(all));
}

// Of each capsule an end and the radius there; the way to the other end, and what the radius grows by;
// one over the square of the way.
shared vec4 bodies[2u * kMaxCapsules];
shared float body_scales[kMaxCapsules];

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

void place_bodies(uint lane, uint lanes, Bodies all, uint attached, Place head) {
    place_capsules(lane, lanes, all.capsules, (attached & 1u) != 0u, head);
    if (has_solids != 0u) place_solids(lane, lanes, all.solids, all.earlier);
}

float field_texel(ivec3 at, ivec3 size) {
    return texelFetch(field, clamp(at, ivec3(0), size - 1), 0).x;
}

// Between texels by hand: not every device filters 32-bit floats.
float field_at(vec3 texel, ivec3 size) {
    vec3 at = texel - 0.5;
    ivec3 low = ivec3(floor(at));
    vec3 share = at - vec3(low);
    vec4 near_z = vec4(field_texel(low, size), field_texel(low + ivec3(1, 0, 0), size),
                     field_texel(low + ivec3(0, 1, 0), size), field_texel(low + ivec3(1, 1, 0), size));
    vec4 far_z = vec4(field_texel(low + ivec3(0, 0, 1), size), field_texel(low + ivec3(1, 0, 1), size),
                    field_texel(low + ivec3(0, 1, 1), size), field_texel(low + ivec3(1, 1, 1), size));
    vec4 along = mix(near_z, far_z, share.z);
    vec2 rows = mix(along.xy, along.zw, share.y);
    return mix(rows.x, rows.y, share.x);
}

// Whether a place met distances that are infinite or NaN: there the field has no surface.
bool met_bad_distance = false;

const float kFarthest = 1e18; // squares of larger numbers overflow

// `world`, or the nearest place outside the field's surface.
vec3 out_of_field(vec3 world, Field where, float margin) {
    vec3 x = taken_back(where.place, world);
    ivec3 size = textureSize(field, 0);
    vec3 scale = vec3(size) / (where.high - where.low);
    vec3 texel = (x - where.low) * scale;
    if (any(lessThan(texel, vec3(0.0))) || any(greaterThan(texel, vec3(size)))) return world;
    float away = field_at(texel, size) * where.scale - margin;
    if (away >= 0.0) return world;
    vec3 slope = vec3(
        field_at(texel + vec3(0.5, 0.0, 0.0), size) - field_at(texel - vec3(0.5, 0.0, 0.0), size),
        field_at(texel + vec3(0.0, 0.5, 0.0), size) - field_at(texel - vec3(0.0, 0.5, 0.0), size),
        field_at(texel + vec3(0.0, 0.0, 0.5), size) - field_at(texel - vec3(0.0, 0.0, 0.5), size)) * scale;
    float steep = length(slope);
    if (!(steep < kFarthest && away > -kFarthest)) { // true for NaN
        met_bad_distance = true;
        return world;
    }
    return steep > 0.0 ? world - turned(where.place.turn, slope * (away / steep)) : world;
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

bool may_touch_capsule(vec3 center, float reach, uint i) {
    vec4 a = bodies[2u * i];
    vec4 way = bodies[2u * i + 1u];
    vec3 from = center - a.xyz;
    vec3 off = from - clamp(dot(from, way.xyz) * body_scales[i], 0.0, 1.0) * way.xyz;
    return length(off) <= reach + max(a.w, a.w + way.w);
}

// What a box of places may meet. The sphere around it is somewhat larger, so that places that leave
// a body are mostly within it still.
Nearby near_box(vec3 low, vec3 high, Bodies all) {
    vec3 center = 0.5 * (low + high);
    float reach = 0.65 * distance(low, high) + 2.0 * all.margin + 1e-5 * length(center);
    uint which = 0u;
    for (uint i = 0u; i < all.capsules; ++i)
        if (may_touch_capsule(center, reach + all.margin, i)) which |= 1u << i;
    for (uint i = 0u; i < all.solids; ++i)
        if (may_touch_solid(center, reach + all.margin, i)) which |= 1u << (kFirstSolid + i);
    return Nearby(center, reach, which);
}

// Numbers of what was touched last: capsules, solids, and these.
const uint kTouchedField = 32u;
const uint kTouchedNothing = 33u;

// Out of all bodies. Leaving one may lead into another: a few rounds, the last of which meets none
// where bodies leave room.
vec3 out_of_bodies(vec3 x, Nearby nearby, Bodies all, inout uint touched) {
    for (uint round = 0u; round < 4u; ++round) {
        vec3 before = x;
        uint which = nearby.which;
        if (distance(x, nearby.center) > nearby.reach) which = all_bodies(all);
        for (; which != 0u; which &= which - 1u) {
            uint i = uint(findLSB(which));
            vec3 inside = x;
            if (has_solids == 0u || i < kFirstSolid) x = out_of_capsule(x, i, all.margin);
            else x = out_of_solid(x, i - kFirstSolid, all.earlier, all.margin);
            if (x != inside) touched = i;
        }
        if (has_field != 0u) {
            vec3 inside = x;
            x = out_of_field(x, all.field, all.margin);
            if (x != inside) touched = kTouchedField;
        }
        // What rounding moves is no contact.
        vec3 way = x - before;
        if (dot(way, way) <= 1e-13 * dot(x, x)) break;
    }
    return x;
}

// Where a body takes a place in a sub-step.
vec3 carried_by(uint touched, vec3 x, Place head_before, Place head, uint attached, Bodies all,
                float seconds) {
    if (has_solids != 0u && touched >= kFirstSolid && touched < kTouchedField)
        return carried_by_solid(x, touched - kFirstSolid, seconds, all.earlier);
    uint with_head = touched == kTouchedField ? attached & 2u : attached & 1u;
    return with_head != 0u ? placed(head, taken_back(head_before, x)) : x;
}

// What a vertex that met a body does: it keeps a share of its way along the surface, as seen from
// the body, and none of that into it. `carried`: where the body has taken the place before the step.
struct Contact {
    vec3 x;
    vec3 before;
};
Contact after_contact(vec3 x, vec3 entered, vec3 before, vec3 carried, float friction,
                      Nearby nearby, Bodies all) {
    vec3 out_way = x - entered;
    float squared = dot(out_way, out_way);
    vec3 along = x - carried;
    if (squared > 0.0) along -= out_way * (dot(along, out_way) / squared);
    vec3 slowed = x - along * friction;
    uint touched = kTouchedNothing;
    if (friction > 0.0) slowed = out_of_bodies(slowed, nearby, all, touched);
    return Contact(slowed, slowed - along * (1.0 - friction) - (carried - before));
}

#endif
