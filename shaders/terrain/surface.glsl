// Where points of the unit square lie in the world, y up. C++: `set_surface`.
//
// Each kernel that includes this has the members `ground` and `shape` in its parameters, and hands
// them over as SurfaceTerms. -(d/du x d/dv) points up, or out of closed surfaces.
#ifndef TERRAIN_SURFACE
#define TERRAIN_SURFACE

#include "noise.glsl"

// Points of a planet, as seen from an eye that may be a thousandth of a millionth of its radius away
// from the ground. C++: passes/terrain/planet.hpp.
//
// The planet is a cube's surface, pulled onto a sphere. A point of the cube is c, its direction
// n = c / |c|. All is measured from the anchor, the ground point c0 below the eye:
//
//     n - n0 = (d - n0 (|c| - |c0|)) / |c|,   d = c - c0,   |c| - |c0| = (2 c0 d + d d) / (|c| + |c0|)
//
// d is a difference of whole numbers, which is exact, and all that follows is relative to its size.
// So an error is a share of how far a point is from the anchor, not of the radius. Octaves of noise
// are treated alike: their lattices are counted from the anchor, and what is added up is how much
// higher the ground is than below the eye. Near the anchor that is Taylor's polynomial.

const uint kPlanetOctaves = 28u; // at most
const uint kPlanetFaces = 6u;
const float kFaceUnit = 1.0 / 1073741824.0; // 2^-30: a face of the cube is 2 wide, 2^31 units

struct PlanetFace {
    ivec4 anchor; // c0 in pairs of units of the face, from the corner; 1 where it can be used; 0
    vec4 rest;    // units beyond them, 0 to 2; |c0|; 0
};

struct PlanetOctave {
    ivec4 cell;     // lattice point at or before the anchor; 0
    vec4 part;      // 0 to 1; height, world units
    vec4 slope;     // of the noise at the anchor, a cell; the noise there
    vec4 bend;      // second derivatives xx, yy, zz; cells a radius
    vec4 twist;     // yz, zx, xy; 0
};

layout(constant_id = 12) const uint has_planet = 0u; // 1 for planets alone

readonly buffer Planet {
    vec4 anchor; // n0; radius
    vec4 above;  // height of the ground below the eye, that less the eye's height, the eye's height, 0
    vec4 noise;  // octaves; share of ridges; seed; 0
    PlanetFace faces[kPlanetFaces];
    PlanetOctave octaves[kPlanetOctaves];
} planet;

// Faces are +x, -x, +y, -y, +z, -z. u and v run along the axes, never against them, and so that
// -u x v points out.
ivec3 face_axes(uint face) { // of u, of v, of the normal
    int a = int(face >> 1u);
    int b = (a + 1) % 3;
    int c = (a + 2) % 3;
    return (face & 1u) == 0u ? ivec3(c, b, a) : ivec3(b, c, a);
}

const uint kFaceSide = 0x80000000u; // 2^31

// Points on edges and corners of the cube have one face that they are computed from.
void to_first_face(inout uint face, inout uvec2 place) {
    ivec3 axes = face_axes(face);
    uvec3 at = uvec3(0u); // along the axes
    at[axes.x] = place.x;
    at[axes.y] = place.y;
    at[axes.z] = (face & 1u) == 0u ? kFaceSide : 0u;
    for (uint f = 0u; f < face; ++f) {
        ivec3 own = face_axes(f);
        if (at[own.z] != ((f & 1u) == 0u ? kFaceSide : 0u)) continue;
        face = f;
        place = uvec2(at[own.x], at[own.y]);
        return;
    }
}

// n - n0, and 1 where it is as good as said above.
vec3 from_anchor(uint face, uvec2 place) {
    ivec3 axes = face_axes(face);
    PlanetFace known = planet.faces[face];
    float normal = (face & 1u) == 0u ? 1.0 : -1.0;
    if (known.anchor.z == 0) { // beyond the horizon, and far away
        vec3 c;
        c[axes.x] = float(int(place.x - 0x40000000u)) * kFaceUnit;
        c[axes.y] = float(int(place.y - 0x40000000u)) * kFaceUnit;
        c[axes.z] = normal;
        precise vec3 n = c / sqrt(c.x * c.x + c.y * c.y + c.z * c.z);
        precise vec3 result = n - planet.anchor.xyz;
        return result;
    }
    vec2 pairs = vec2(ivec2(place >> 1u) - known.anchor.xy); // exact where it is small
    precise vec2 d = (2.0 * pairs + (vec2(place & 1u) - known.rest.xy)) * kFaceUnit;
    precise vec2 c0 = (2.0 * vec2(known.anchor.xy - 0x20000000) + known.rest.xy) * kFaceUnit;
    precise vec2 c = c0 + d;
    precise float length_c = sqrt(1.0 + c.x * c.x + c.y * c.y);
    precise float square = d.x * (2.0 * c0.x + d.x) + d.y * (2.0 * c0.y + d.y);
    precise float longer = square / (length_c + known.rest.z);
    vec3 along = vec3(0.0);
    along[axes.x] = d.x;
    along[axes.y] = d.y;
    precise vec3 result = (along - planet.anchor.xyz * longer) / length_c;
    return result;
}

// In cells. Beyond it differences are rounded less than the polynomial is off.
const float kTaylorReach = 0.0025;

// How much larger an octave's noise is than at the anchor.
float noise_from_anchor(PlanetOctave octave, vec3 away, uint seed) {
    precise vec3 d = away * octave.bend.w;
    if (max(max(abs(d.x), abs(d.y)), abs(d.z)) < kTaylorReach) {
        precise vec3 rate = octave.slope.xyz + 0.5 * octave.bend.xyz * d;
        precise vec3 mixed = octave.twist.xyz * d.yzx * d.zxy;
        precise float result = rate.x * d.x + rate.y * d.y + rate.z * d.z + mixed.x + mixed.y +
                               mixed.z;
        return result;
    }
    precise vec3 place = octave.part.xyz + d;
    vec3 low = floor(place);
    precise float result = noise_3d(octave.cell.xyz + ivec3(low), place - low, seed) -
                           octave.slope.w;
    return result;
}

// How much higher the ground is than below the eye, at n = n0 + away.
float planet_rise(vec3 away) {
    uint octaves = uint(planet.noise.x);
    uint seed = uint(planet.noise.z);
    float ridges = planet.noise.y;
    precise float sum = 0.0;
    for (uint i = 0u; i < octaves; ++i) {
        PlanetOctave octave = planet.octaves[i];
        float more = noise_from_anchor(octave, away, seed + i);
        float here = octave.slope.w;
        // |here + more| - |here|, without a difference of large numbers.
        precise float there = here + more;
        bool same_side = (here < 0.0) == (there < 0.0);
        precise float larger = same_side ? (here < 0.0 ? -more : more) : abs(there) - abs(here);
        precise float wave = more - ridges * (more + 2.0 * larger);
        sum += octave.part.w * wave;
    }
    return sum;
}

// n0 + away, raised to `rise` above the ground below the eye, from the eye.
vec3 raised_from_eye(vec3 away, float rise) {
    precise float radius = planet.anchor.w + planet.above.x + rise;
    precise float up = planet.above.y + rise;
    precise vec3 result = away * radius + planet.anchor.xyz * up;
    return result;
}

// Where the ground is lower than this below the eye, the sea is.
float sea_rise() {
    return -planet.above.x;
}

vec3 sea_from_eye(vec3 away) {
    precise vec3 result = away * planet.anchor.w - planet.anchor.xyz * planet.above.z;
    return result;
}

// From the eye. `height`: of the ground above the sea; below it negative.
vec3 planet_point(uint face, uvec2 place, out float height) {
    to_first_face(face, place);
    vec3 away = from_anchor(face, place);
    float rise = planet_rise(away);
    height = planet.above.x + rise;
    if (rise > sea_rise()) return raised_from_eye(away, rise);
    return sea_from_eye(away);
}

// Without heights but that of the ground, or the sea, below the eye: what distances are taken from.
vec3 planet_base(uint face, uvec2 place) {
    to_first_face(face, place);
    vec3 away = from_anchor(face, place);
    return planet.above.x > 0.0 ? raised_from_eye(away, 0.0) : sea_from_eye(away);
}

// All surfaces. A kernel has the code of each function once for every call, so what several kinds need
// is called in one place, and kernels look at several points in a loop.

layout(constant_id = 10) const uint surface_kind = 0u;
// Squares on the ground, whose y is a height:
const uint kSurfaceHeights = 0u; // of a map
const uint kSurfaceFbm = 1u;     // octaves of noise
const uint kSurfaceSine = 2u;    // waves
// Closed surfaces:
const uint kSurfaceSphere = 3u; // u runs around, v from pole to pole
const uint kSurfaceTorus = 4u;  // u runs around, v around the tube
const uint kSurfaceKnot = 5u;   // a tube along the trefoil knot, as the torus
const uint kSurfacePlanet = 6u; // six squares; seen from the eye

layout(constant_id = 11) const uint has_heights = 0u; // 0: the ground is flat

uniform sampler2D heights; // R: heights, the first and the last texel at the square's edges

struct SurfaceTerms {
    vec4 ground; // side of the square, factor of heights, what is added to them, share of ridges
    vec4 shape;  // of the kind; of closed surfaces w is a length, see surface_span
};

const float kPlaceUnit = 1.0 / 2147483648.0; // 2^-31 of the square

bool is_ground() {
    return surface_kind <= kSurfaceSine;
}

float height_texel(ivec2 texel) {
    float value = texelFetch(heights, texel, 0).x;
    return isnan(value) || isinf(value) ? 0.0 : value;
}

// Between the texels, by arithmetic that is the same on all devices.
float height_of_map(vec2 uv) {
    if (has_heights == 0u) return 0.0;
    ivec2 last = textureSize(heights, 0) - 1;
    precise vec2 place = uv * vec2(last);
    ivec2 low = clamp(ivec2(floor(place)), ivec2(0), last);
    ivec2 high = min(low + 1, last);
    precise vec2 part = clamp(place - vec2(low), 0.0, 1.0);
    float a = height_texel(low);
    float b = height_texel(ivec2(high.x, low.y));
    float c = height_texel(ivec2(low.x, high.y));
    float d = height_texel(high);
    precise float near = a + (b - a) * part.x;
    precise float far = c + (d - c) * part.x;
    precise float result = near + (far - near) * part.y;
    return result;
}

// Cosines and sines of three numbers of turns.
struct Turned {
    vec3 cosine;
    vec3 sine;
};

// To 2^-22 on all devices, and exact at quarters of a turn: a closed surface closes.
Turned of_turns(vec3 turns) {
    precise vec3 quarters = floor(turns * 4.0 + 0.5);
    precise vec3 angle = (turns - quarters * 0.25) * 6.28318530717958648;
    precise vec3 square = angle * angle;
    precise vec3 sine = angle + angle * square * (-1.0 / 6.0 + square * (1.0 / 120.0 + square *
                        (-1.0 / 5040.0 + square * (1.0 / 362880.0))));
    precise vec3 cosine = 1.0 + square * (-0.5 + square * (1.0 / 24.0 + square * (-1.0 / 720.0 +
                          square * (1.0 / 40320.0))));
    ivec3 quarter = ivec3(quarters) & 3;
    bvec3 odd = equal(quarter & 1, ivec3(1));
    vec3 first = mix(cosine, sine, odd);
    vec3 second = mix(sine, cosine, odd);
    bvec3 first_negative = bvec3((quarter.x + 1 & 2) != 0, (quarter.y + 1 & 2) != 0,
                                 (quarter.z + 1 & 2) != 0);
    bvec3 second_negative = greaterThan(quarter, ivec3(1));
    return Turned(mix(first, -first, first_negative), mix(second, -second, second_negative));
}

vec3 ground_base(vec2 uv, SurfaceTerms terms) {
    precise vec2 ground = (uv - 0.5) * terms.ground.x;
    return vec3(ground.x, 0.0, ground.y);
}

// Of squares on the ground.
float surface_height(vec2 uv, SurfaceTerms terms) {
    precise float wave = 0.0;
    if (surface_kind == kSurfaceHeights) wave = height_of_map(uv);
    if (surface_kind == kSurfaceFbm) {
        precise vec2 place = uv * terms.shape.x;
        wave = fbm_2d(place, uint(terms.shape.y), terms.shape.z, terms.ground.w,
                      uint(terms.shape.w));
    }
    if (surface_kind == kSurfaceSine) {
        const float kTurn = 0.159154943091895336; // of a radian
        precise vec2 ground = (uv - 0.5) * terms.ground.x;
        precise vec2 turns = ground * terms.shape.xy * kTurn;
        Turned turned = of_turns(vec3(turns, 0.0));
        wave = turned.sine.x * turned.cosine.y;
    }
    precise float result = wave * terms.ground.y + terms.ground.z;
    return result;
}

// Turns about the axis, about the tube's circle or from the pole, and about the knot's tube.
vec3 closed_turns(vec2 uv) {
    if (surface_kind == kSurfaceSphere) return vec3(-uv.x, 0.5 * uv.y, 0.0);
    if (surface_kind == kSurfaceTorus) return vec3(uv, 0.0);
    return vec3(2.0 * uv.x, 3.0 * uv.x, uv.y);
}

vec3 sphere_point(Turned turned, float radius) {
    precise vec3 result = radius * vec3(turned.sine.y * turned.cosine.x, turned.cosine.y,
                                        turned.sine.y * turned.sine.x);
    return result;
}

vec3 torus_point(Turned turned, vec2 radii) {
    precise float away = radii.x + radii.y * turned.cosine.y;
    precise vec3 result = vec3(away * turned.cosine.x, radii.y * turned.sine.y,
                               away * turned.sine.x);
    return result;
}

// Two turns about the axis and three about the circle of a torus of radii 2 and 1. `normal` is the
// torus's, which turns with the knot and comes back to itself.
vec3 knot_point(Turned turned, float scale, float radius) {
    vec2 around = vec2(turned.cosine.x, turned.sine.x);
    vec2 circle = vec2(turned.cosine.y, turned.sine.y);
    precise float away = 2.0 + circle.x;
    precise vec3 middle = vec3(away * around.x, circle.y, away * around.y);
    precise vec3 tangent = 3.0 * vec3(-circle.y * around.x, circle.x, -circle.y * around.y) +
                           2.0 * away * vec3(-around.y, 0.0, around.x);
    precise float square = tangent.x * tangent.x + tangent.y * tangent.y + tangent.z * tangent.z;
    vec3 along = tangent / sqrt(square);
    vec3 normal = vec3(circle.x * around.x, circle.y, circle.x * around.y);
    precise vec3 beside = vec3(along.y * normal.z - along.z * normal.y,
                               along.z * normal.x - along.x * normal.z,
                               along.x * normal.y - along.y * normal.x);
    precise vec3 result = scale * middle +
                          radius * (normal * turned.cosine.z + beside * turned.sine.z);
    return result;
}

// Without heights: what distances are taken from. Not of planets.
vec3 surface_base(vec2 uv, SurfaceTerms terms) {
    if (is_ground()) return ground_base(uv, terms);
    Turned turned = of_turns(closed_turns(uv));
    if (surface_kind == kSurfaceSphere) return sphere_point(turned, terms.shape.x);
    if (surface_kind == kSurfaceTorus) return torus_point(turned, terms.shape.xy);
    return knot_point(turned, terms.shape.x, terms.shape.y);
}

vec3 surface_point(vec2 uv, SurfaceTerms terms) {
    vec3 point = surface_base(uv, terms);
    return is_ground() ? vec3(point.x, surface_height(uv, terms), point.z) : point;
}

// Points by their places, in units of 2^-31 of the square, of one of several squares.
// `height`: y on the ground, above the sea on planets, 0 on other surfaces. Of the ground below the
// sea it is negative, though the point is the sea's: between a point of the sea and one of the land the
// coast is where it is 0.
vec3 surface_at(uint face, uvec2 place, SurfaceTerms terms, out float height) {
    if (surface_kind == kSurfacePlanet) return planet_point(face, place, height);
    vec3 point = surface_point(vec2(place) * kPlaceUnit, terms);
    height = is_ground() ? point.y : 0.0;
    return point;
}

vec3 surface_at(uint face, uvec2 place, SurfaceTerms terms) {
    float height;
    return surface_at(face, place, terms, height);
}

vec3 surface_base_at(uint face, uvec2 place, SurfaceTerms terms) {
    if (surface_kind == kSurfacePlanet) return planet_base(face, place);
    return surface_base(vec2(place) * kPlaceUnit, terms);
}

// Whether there is a point beyond an end of the square, on its other side.
bvec2 surface_closes() {
    return bvec2(surface_kind == kSurfaceSphere || surface_kind == kSurfaceTorus ||
                     surface_kind == kSurfaceKnot,
                 surface_kind == kSurfaceTorus || surface_kind == kSurfaceKnot);
}

// The place next to another, `step` units farther along u (axis 0) or v, at most at the edge.
uvec2 place_beside(uvec2 place, int axis, int step) {
    uint at = place[axis];
    bool around = surface_closes()[axis];
    if (step < 0) {
        uint less = uint(-step);
        place[axis] = at >= less ? at - less : around ? at + 0x80000000u - less : 0u;
    } else {
        uint more = at + uint(step);
        place[axis] = more <= 0x80000000u ? more : around ? more - 0x80000000u : 0x80000000u;
    }
    return place;
}

struct SurfacePoint {
    vec3 point;
    float height; // as of surface_at
    vec3 normal;  // of length 1, up or out; or 0
};

// With `smoothed` the normal is found, from points `step` units away on both sides.
SurfacePoint surface_point_at(uint face, uvec2 place, int step, bool smoothed, SurfaceTerms terms) {
    SurfacePoint result = SurfacePoint(vec3(0.0), 0.0, vec3(0.0));
    vec3 u = vec3(0.0);
    vec3 v = vec3(0.0);
    int points = smoothed ? 5 : 1;
    for (int i = 0; i < points; ++i) { // the point, then +u, -u, +v, -v
        uvec2 at = place;
        if (i > 0) at = place_beside(place, i - 1 >> 1, (i & 1) != 0 ? step : -step);
        float height;
        vec3 point = surface_at(face, at, terms, height);
        if (i == 0) {
            result.point = point;
            result.height = height;
        }
        if (i == 1) u = point;
        if (i == 2) u -= point;
        if (i == 3) v = point;
        if (i == 4) v -= point;
    }
    if (!smoothed) return result;
    vec3 normal = cross(v, u);
    float size = dot(normal, normal);
    // A pole.
    result.normal = vec3(0.0, surface_kind == kSurfaceSphere && place.y != 0u ? -1.0 : 1.0, 0.0);
    if (size > 0.0) result.normal = normal * inversesqrt(size);
    return result;
}

// How long the square's side is on the surface, at most.
float surface_span(SurfaceTerms terms) {
    return is_ground() ? terms.ground.x : terms.shape.w;
}

// What lies next to a cell of a level, across its sides: -u, +u, -v, +v are 0 to 3. C++: passes/terrain/beside.hpp.

// Moves a cell of `count` x `count` over a side; false at the end of a square that ends there.
// `side` becomes the side of the new cell that is shared. What runs along it does so the same way.
bool step_beside(inout uint face, inout uvec2 cell, inout uint side, uint count) {
    int axis = int(side >> 1u);
    bool up = (side & 1u) != 0u;
    uint last = count - 1u;
    if (cell[axis] != (up ? last : 0u)) {
        cell[axis] = up ? cell[axis] + 1u : cell[axis] - 1u;
        side ^= 1u;
        return true;
    }
    if (surface_kind == kSurfacePlanet) {
        // The faces' axes are the cube's, so cells keep their number along the edge, and lie at the
        // end that this face is at.
        ivec3 axes = face_axes(face);
        uint end = (face & 1u) == 0u ? last : 0u;
        int out_axis = axis == 0 ? axes.x : axes.y;
        uint along = axis == 0 ? cell.y : cell.x;
        uint other = 2u * uint(out_axis) + (up ? 0u : 1u);
        bool is_u = face_axes(other).x == axes.z;
        side = (is_u ? 0u : 2u) + ((face & 1u) == 0u ? 1u : 0u);
        cell = is_u ? uvec2(end, along) : uvec2(along, end);
        face = other;
        return true;
    }
    if (!surface_closes()[axis]) return false;
    cell[axis] = up ? 0u : last;
    side ^= 1u;
    return true;
}

// Least and greatest y of parts of the ground. Parameters: `bounds`, y of
// all the ground. C++: `set_surface_bounds`.

layout(constant_id = 13) const uint has_pyramid = 0u; // of the map of heights

uniform sampler2D pyramid; // of terrain/bounds

// Over a rectangle of the square. One inside another has bounds inside the other's.
vec2 ground_bounds(vec2 low, vec2 high, vec2 bounds, SurfaceTerms terms) {
    if (has_pyramid == 0u) return bounds;
    ivec2 last = max(textureSize(heights, 0) - 2, ivec2(0)); // square between texels
    vec2 side = vec2(textureSize(heights, 0) - 1);
    precise vec2 from = low * side;
    precise vec2 to = high * side;
    ivec2 a = clamp(ivec2(floor(from)), ivec2(0), last);
    ivec2 b = clamp(ivec2(floor(to)), ivec2(0), last);
    ivec2 wide = b - a;
    // The first mip of which at most two texels each way are met.
    int mip = max(findMSB(uint(max(wide.x, wide.y))), 0);
    while (any(greaterThan((b >> mip) - (a >> mip), ivec2(1)))) ++mip;
    mip = min(mip, textureQueryLevels(pyramid) - 1);
    // Not textureSize(pyramid, mip): llvmpipe takes the mip of one invocation for its neighbours too.
    ivec2 most = max(textureSize(pyramid, 0) >> mip, ivec2(1)) - 1;
    ivec2 c = min(a >> mip, most);
    ivec2 d = min(b >> mip, most);
    vec2 p = texelFetch(pyramid, c, mip).xy;
    vec2 q = texelFetch(pyramid, ivec2(d.x, c.y), mip).xy;
    vec2 r = texelFetch(pyramid, ivec2(c.x, d.y), mip).xy;
    vec2 s = texelFetch(pyramid, d, mip).xy;
    precise vec2 ends = vec2(min(min(p.x, q.x), min(r.x, s.x)), max(max(p.y, q.y), max(r.y, s.y))) *
                            terms.ground.y + terms.ground.z;
    // Interpolation is rounded.
    precise float room = max(abs(ends.x), abs(ends.y)) * 1e-6;
    return vec2(min(ends.x, ends.y) - room, max(ends.x, ends.y) + room);
}

#endif
