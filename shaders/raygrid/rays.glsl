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

// Goes on to the cell behind a box of cells, from `low` to `high` (exclusive), that the place is
// in. Places are computed from the cells' faces each time, so that no error adds up. False where
// the ray leaves the grid.
bool step_over(GridRay ray, uvec3 dims, ivec3 low, ivec3 high, inout Place place) {
    bvec3 forward = greaterThan(ray.direction, vec3(0.0));
    bvec3 still = equal(ray.direction, vec3(0.0));
    vec3 edge = mix(vec3(low), vec3(high), forward);
    vec3 along = vec3(kNever);
    for (int i = 0; i < 3; ++i)
        if (!still[i]) along[i] = (edge[i] - ray.origin[i]) / ray.direction[i];
    int axis = along.x <= along.y ? along.x <= along.z ? 0 : 2 : along.y <= along.z ? 1 : 2;
    place.s = max(place.s, along[axis]);
    for (int i = 0; i < 3; ++i) {
        if (i == axis) {
            place.cell[i] = forward[i] ? high[i] : low[i] - 1;
        } else if (!still[i] && high[i] - low[i] > 1) {
            // Rounding must not take it back, nor out of the box.
            int at = int(floor(ray.origin[i] + place.s * ray.direction[i]));
            place.cell[i] = forward[i] ? clamp(at, place.cell[i], high[i] - 1)
                                       : clamp(at, low[i], place.cell[i]);
        }
    }
    return place.cell[axis] >= 0 && place.cell[axis] < int(dims[axis]);
}

#endif
