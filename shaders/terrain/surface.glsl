// Where points of the unit square lie in the world, y up. C++: `set_surface`.
//
// Each kernel that includes this has the members `ground` and `shape` in its parameters, and hands
// them over as SurfaceTerms. -(d/du x d/dv) points up, or out of closed surfaces.
#ifndef TERRAIN_SURFACE
#define TERRAIN_SURFACE

#include "noise.glsl"
#include "planet.glsl"

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

// Cosine and sine of a number of turns, to 2^-22 on all devices, and exact at quarters of a turn: a
// closed surface closes.
vec2 of_turns(float turns) {
    precise float quarters = floor(turns * 4.0 + 0.5);
    precise float angle = (turns - quarters * 0.25) * 6.28318530717958648;
    precise float square = angle * angle;
    precise float sine = angle + angle * square * (-1.0 / 6.0 + square * (1.0 / 120.0 + square *
                         (-1.0 / 5040.0 + square * (1.0 / 362880.0))));
    precise float cosine = 1.0 + square * (-0.5 + square * (1.0 / 24.0 + square * (-1.0 / 720.0 +
                           square * (1.0 / 40320.0))));
    int quarter = int(quarters) & 3;
    if (quarter == 0) return vec2(cosine, sine);
    if (quarter == 1) return vec2(-sine, cosine);
    return quarter == 2 ? vec2(-cosine, -sine) : vec2(sine, -cosine);
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
        wave = of_turns(turns.x).y * of_turns(turns.y).x;
    }
    precise float result = wave * terms.ground.y + terms.ground.z;
    return result;
}

vec3 sphere_point(vec2 uv, float radius) {
    vec2 around = of_turns(-uv.x);
    vec2 down = of_turns(0.5 * uv.y); // from the pole
    precise vec3 result = radius * vec3(down.y * around.x, down.x, down.y * around.y);
    return result;
}

vec3 torus_point(vec2 uv, vec2 radii) {
    vec2 around = of_turns(uv.x);
    vec2 tube = of_turns(uv.y);
    precise float away = radii.x + radii.y * tube.x;
    precise vec3 result = vec3(away * around.x, radii.y * tube.y, away * around.y);
    return result;
}

// Two turns about the axis and three about the circle of a torus of radii 2 and 1. `normal` is the
// torus's, which turns with the knot and comes back to itself.
vec3 knot_middle(float u, out vec3 along, out vec3 normal) {
    vec2 around = of_turns(2.0 * u);
    vec2 tube = of_turns(3.0 * u);
    precise float away = 2.0 + tube.x;
    precise vec3 middle = vec3(away * around.x, tube.y, away * around.y);
    precise vec3 tangent = 3.0 * vec3(-tube.y * around.x, tube.x, -tube.y * around.y) +
                           2.0 * away * vec3(-around.y, 0.0, around.x);
    precise float square = tangent.x * tangent.x + tangent.y * tangent.y + tangent.z * tangent.z;
    along = tangent / sqrt(square);
    normal = vec3(tube.x * around.x, tube.y, tube.x * around.y);
    return middle;
}

vec3 knot_point(vec2 uv, float scale, float radius) {
    vec3 along, normal;
    vec3 middle = knot_middle(uv.x, along, normal);
    precise vec3 beside = vec3(along.y * normal.z - along.z * normal.y,
                               along.z * normal.x - along.x * normal.z,
                               along.x * normal.y - along.y * normal.x);
    vec2 tube = of_turns(uv.y);
    precise vec3 result = scale * middle + radius * (normal * tube.x + beside * tube.y);
    return result;
}

// Without heights: what distances are taken from. Not of planets.
vec3 surface_base(vec2 uv, SurfaceTerms terms) {
    if (surface_kind == kSurfaceSphere) return sphere_point(uv, terms.shape.x);
    if (surface_kind == kSurfaceTorus) return torus_point(uv, terms.shape.xy);
    if (surface_kind == kSurfaceKnot) return knot_point(uv, terms.shape.x, terms.shape.y);
    precise vec2 ground = (uv - 0.5) * terms.ground.x;
    return vec3(ground.x, 0.0, ground.y);
}

vec3 surface_point(vec2 uv, SurfaceTerms terms) {
    vec3 point = surface_base(uv, terms);
    return is_ground() ? vec3(point.x, surface_height(uv, terms), point.z) : point;
}

// Points by their places, in units of 2^-31 of the square, of one of several squares.
vec3 surface_at(uint face, uvec2 place, SurfaceTerms terms) {
    if (surface_kind == kSurfacePlanet) return planet_point(face, place);
    return surface_point(vec2(place) * kPlaceUnit, terms);
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

// The unit normal, up or out, from points `step` units away on both sides.
vec3 surface_normal(uint face, uvec2 place, int step, SurfaceTerms terms) {
    vec3 u = surface_at(face, place_beside(place, 0, step), terms) -
             surface_at(face, place_beside(place, 0, -step), terms);
    vec3 v = surface_at(face, place_beside(place, 1, step), terms) -
             surface_at(face, place_beside(place, 1, -step), terms);
    vec3 normal = cross(v, u);
    float size = dot(normal, normal);
    if (size > 0.0) return normal * inversesqrt(size);
    // A pole.
    return surface_kind == kSurfaceSphere ? vec3(0.0, place.y == 0u ? 1.0 : -1.0, 0.0)
                                          : vec3(0.0, 1.0, 0.0);
}

// How long the square's side is on the surface, at most.
float surface_span(SurfaceTerms terms) {
    return is_ground() ? terms.ground.x : terms.shape.w;
}

#endif
