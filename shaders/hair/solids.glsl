// Rigid bodies that hair does not enter: spheres, capsules, boxes, hulls and half-spaces of the module
// bodies. C++: `bind_colliders` of passes/hair/colliders.hpp; the records are those of
// passes/bodies/bodies.hpp, and hulls lie as `Hull::quads` of passes/bodies/hull.hpp writes them.
#ifndef HAIR_SOLIDS
#define HAIR_SOLIDS

#include "turn.glsl"

const uint kMaxSolids = 16u;

layout(constant_id = 21) const uint has_solids = 0u;
readonly buffer SolidPlaces { vec4 values[]; } solid_places;     // centres of mass
readonly buffer SolidTurns { vec4 values[]; } solid_turns;       // quaternions
readonly buffer SolidMotions { vec4 values[]; } solid_motions;   // two quads each: velocity; spin
readonly buffer SolidShapes { vec4 values[]; } solid_shapes;     // two quads each
readonly buffer SolidGeometry { vec4 values[]; } solid_geometry; // of hulls

const uint kSolidSphere = 0u;
const uint kSolidCapsule = 1u; // along y
const uint kSolidBox = 2u;
const uint kSolidHull = 3u;
const uint kSolidPlane = 4u; // a half-space below y = 0

shared vec4 solid_bounds[kMaxSolids]; // spheres around them, at the end of the sub-step

uint solid_kind(uint i) {
    return floatBitsToUint(solid_shapes.values[2u * i].w);
}

// Where a body is so many seconds before its state, as its velocities say.
Place solid_place(uint i, float earlier) {
    Place place = Place(solid_turns.values[i], solid_places.values[i].xyz);
    if (earlier == 0.0) return place;
    vec3 spin = solid_motions.values[2u * i + 1u].xyz;
    place.turn = normalize(place.turn -
                           0.5 * earlier * joined_turns(vec4(spin, 0.0), place.turn));
    place.shift -= earlier * solid_motions.values[2u * i].xyz;
    return place;
}

// Lanes below `count` each place one.
void place_solids(uint lane, uint lanes, uint count, float earlier) {
    for (uint i = lane; i < count; i += lanes) {
        vec3 size = solid_shapes.values[2u * i].xyz;
        uint kind = solid_kind(i);
        float radius = -1e30; // takes part in nothing
        if (kind == kSolidSphere) radius = size.x;
        else if (kind == kSolidCapsule) radius = size.x + size.y;
        else if (kind == kSolidBox || kind == kSolidHull) radius = length(size);
        else if (kind == kSolidPlane) radius = 1e30;
        solid_bounds[i] = vec4(solid_place(i, earlier).shift, radius);
    }
}

bool may_touch_solid(vec3 center, float reach, uint i) {
    vec4 bound = solid_bounds[i];
    return distance(center, bound.xyz) <= reach + bound.w;
}

// How far outside a convex solid and where to, in its own frame: a unit vector and the distance.
vec4 outside_box(vec3 x, vec3 size) {
    vec3 beyond = abs(x) - size;
    vec3 to = x - clamp(x, -size, size);
    float away = length(to);
    if (away > 0.0) return vec4(to / away, away);
    vec3 normal = beyond.x > beyond.y && beyond.x > beyond.z ? vec3(1.0, 0.0, 0.0)
                  : beyond.y > beyond.z                      ? vec3(0.0, 1.0, 0.0)
                                                             : vec3(0.0, 0.0, 1.0);
    return vec4(normal * mix(vec3(-1.0), vec3(1.0), greaterThanEqual(x, vec3(0.0))),
                max(max(beyond.x, beyond.y), beyond.z));
}
// From the plane of a face: near edges less than the distance.
vec4 outside_hull(vec3 x, uint geometry) {
    uvec4 head = floatBitsToUint(solid_geometry.values[geometry]);
    vec4 found = vec4(0.0, 1.0, 0.0, -1e30);
    for (uint f = 0u; f < head.y; ++f) {
        vec4 plane = solid_geometry.values[geometry + 1u + head.x + f];
        float away = dot(plane.xyz, x) - plane.w;
        if (away > found.w) found = vec4(plane.xyz, away);
    }
    return found;
}
vec4 outside_round(vec3 x, float radius, float half_length) {
    vec3 off = x - vec3(0.0, clamp(x.y, -half_length, half_length), 0.0);
    float away = length(off);
    return vec4(away > 1e-9 ? off / away : vec3(1.0, 0.0, 0.0), away - radius);
}

// `x`, or the nearest place outside solid `i`.
vec3 out_of_solid(vec3 x, uint i, float earlier, float margin) {
    Place place = solid_place(i, earlier);
    vec3 local = taken_back(place, x);
    vec3 size = solid_shapes.values[2u * i].xyz;
    uint kind = solid_kind(i);
    vec4 outside = vec4(0.0, 1.0, 0.0, local.y);
    if (kind == kSolidSphere) outside = outside_round(local, size.x, 0.0);
    else if (kind == kSolidCapsule) outside = outside_round(local, size.x, size.y);
    else if (kind == kSolidBox) outside = outside_box(local, size);
    else if (kind == kSolidHull)
        outside = outside_hull(local, floatBitsToUint(solid_shapes.values[2u * i + 1u].w));
    if (outside.w >= margin) return x;
    return x + turned(place.turn, outside.xyz) * (margin - outside.w);
}

// Where the body takes a place in so many seconds.
vec3 carried_by_solid(vec3 x, uint i, float seconds, float earlier) {
    vec3 spin = solid_motions.values[2u * i + 1u].xyz;
    vec3 arm = x - (solid_place(i, earlier).shift - seconds * solid_motions.values[2u * i].xyz);
    return x + seconds * (solid_motions.values[2u * i].xyz + cross(spin, arm));
}

#endif
