// Rays of a buffer, and where they go in a grid.
#ifndef RAYGRID_RAYS
#define RAYGRID_RAYS
#include "bvh/ray.glsl"
#include "cells.glsl"

layout(constant_id = 41) const uint ray_quads = 2u; // from one ray to the next
layout(constant_id = 42) const uint of_paths = 0u;  // 1: rays without end, as raytrace's paths have

readonly buffer Rays { uvec4 quads[]; } rays;
// Of the grid: its corner; cells per world unit.
readonly buffer Frame { vec4 rows[]; } frame;

const float kEndless = 1e30; // t of what has no end, as in raytrace

Ray fetch_ray(uint i) {
    uvec4 a = rays.quads[ray_quads * i];
    uvec4 b = rays.quads[ray_quads * i + 1u];
    float t_max = uintBitsToFloat(a.w);
    if (of_paths != 0u) t_max = (a.w >> 31u) != 0u ? -1.0 : kEndless;
    return Ray(uintBitsToFloat(a.xyz), t_max, uintBitsToFloat(b.xyz), b.w);
}

bool all_finite(vec3 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec3(0x7f800000u)));
}

bool is_proper_ray(Ray ray) {
    return all_finite(ray.origin) && all_finite(ray.direction) &&
           any(notEqual(ray.direction, vec3(0.0))) && ray.t_max >= 0.0;
}

// The best hit of each ray: the triangle's number and the bits of t, which are in the order of
// numbers, for t is not negative. As 64 bits with the low ones first: t, then the triangle.
const uint kBestTriangle = 0u;
const uint kBestT = 1u;

// A ray in cells. `direction` has 1 as its greatest size; what is small beside that is 0. A place
// along it is s = scale * t.
struct GridRay {
    vec3 origin;
    vec3 direction;
    float scale;
};

const float kNegligible = 1e-9;
const float kNever = 1e30;
// Rounding, in s: relative, and in cells.
const float kSlack = 1e-5;
const float kSlackCells = 1e-3;

GridRay grid_ray(Ray ray) {
    precise vec3 from = ray.origin - frame.rows[0].xyz;
    precise vec3 origin = from * frame.rows[1].xyz;
    vec3 size = abs(ray.direction);
    float length_there = max(size.x, max(size.y, size.z));
    precise vec3 along = ray.direction / length_there;
    precise vec3 direction = along * frame.rows[1].xyz;
    size = abs(direction);
    float length_here = max(size.x, max(size.y, size.z));
    precise vec3 scaled = direction / length_here;
    scaled = mix(scaled, vec3(0.0), lessThan(abs(scaled), vec3(kNegligible)));
    return GridRay(origin, scaled, length_there * length_here);
}

// Beyond this s no hit at t or before is found.
float limit_of(GridRay ray, float t) {
    float s = ray.scale * t;
    return s + s * kSlack + kSlackCells;
}

// Where a ray is in its march.
struct Place {
    ivec3 cell;
    float s; // where it enters the cell
};

// A march that has ended; other places are packed cells and s.
const uint kEnded = 0xffffffffu;

// The cell in which the ray begins, or comes into the grid. False where it misses it.
bool enter_grid(GridRay ray, uvec3 dims, out Place place) {
    place = Place(ivec3(0), 0.0);
    if (!(ray.scale > 0.0)) return false; // too short for floating point
    float leaves = kNever;
    for (int i = 0; i < 3; ++i) {
        float end = float(dims[i]);
        if (ray.direction[i] == 0.0) {
            if (ray.origin[i] < -kSlackCells || ray.origin[i] > end + kSlackCells) return false;
            continue;
        }
        float a = -ray.origin[i] / ray.direction[i];
        float b = (end - ray.origin[i]) / ray.direction[i];
        place.s = max(place.s, min(a, b));
        leaves = min(leaves, max(a, b));
    }
    if (place.s > leaves + abs(leaves) * kSlack + kSlackCells) return false;
    if (leaves < -kSlackCells) return false;
    vec3 at = ray.origin + place.s * ray.direction;
    place.cell = ivec3(clamp(floor(at), vec3(0.0), vec3(dims) - 1.0));
    return true;
}

// What the steps of a ray have in common.
struct Steps {
    vec3 inverse; // of the direction
    vec3 never;   // added where the ray does not move along an axis
    bvec3 ahead;  // towards greater coordinates
    ivec3 beyond; // from the face that the ray leaves by to the cell behind it: 0 or -1
};

Steps steps_of(GridRay ray) {
    bvec3 still = equal(ray.direction, vec3(0.0));
    Steps steps;
    steps.inverse = mix(1.0 / ray.direction, vec3(0.0), still);
    steps.never = mix(vec3(0.0), vec3(kNever), still);
    steps.ahead = greaterThan(ray.direction, vec3(0.0));
    steps.beyond = mix(ivec3(-1), ivec3(0), steps.ahead);
    return steps;
}

// Goes on to the cell behind the box that the place is in, of `inner` + 1 cells a side, a power of
// two. Places are computed from the cells' faces each time, so that no error adds up. False where the
// ray leaves the grid. All axes take the same way through the code: rays beside each other go
// elsewhere.
bool step_over(GridRay ray, Steps steps, uvec3 dims, int inner, inout Place place) {
    ivec3 low = place.cell & ~inner;
    ivec3 high = min(place.cell | inner, ivec3(dims) - 1);
    ivec3 face = mix(low, high + 1, steps.ahead);
    vec3 along = (vec3(face) - ray.origin) * steps.inverse + steps.never;
    float nearest = min(min(along.x, along.y), along.z);
    bool along_x = along.x <= nearest;
    bool along_y = !along_x && along.y <= nearest;
    bvec3 leaves = bvec3(along_x, along_y, !along_x && !along_y);
    place.s = max(place.s, nearest);
    // Within the box, whatever rounding does: boxes are leaves of an octree, so faces lead on in the
    // order from front to back, and to none twice.
    ivec3 beside = clamp(ivec3(ray.origin + place.s * ray.direction), low, high);
    place.cell = mix(beside, face + steps.beyond, leaves);
    return all(lessThan(uvec3(place.cell), dims));
}

#endif
