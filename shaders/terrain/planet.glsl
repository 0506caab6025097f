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
#ifndef TERRAIN_PLANET
#define TERRAIN_PLANET

#include "noise.glsl"

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

// From the eye.
vec3 planet_point(uint face, uvec2 place) {
    to_first_face(face, place);
    vec3 away = from_anchor(face, place);
    float rise = planet_rise(away);
    if (rise > sea_rise()) return raised_from_eye(away, rise);
    return sea_from_eye(away);
}

// Without heights but that of the ground, or the sea, below the eye: what distances are taken from.
vec3 planet_base(uint face, uvec2 place) {
    to_first_face(face, place);
    vec3 away = from_anchor(face, place);
    return planet.above.x > 0.0 ? raised_from_eye(away, 0.0) : sea_from_eye(away);
}

// Above the sea; below it negative.
float planet_height(uint face, uvec2 place) {
    to_first_face(face, place);
    return planet.above.x + planet_rise(from_anchor(face, place));
}

#endif
