// Where patches are, and how fine they are cut, by how large a pixel is there.
//
// A patch has 2^level cells a side, and each of its edges a level of its own, never more, which follows
// from the edge alone. Points on an edge move down to the next one that the edge's level has, so two
// patches of different levels have the same points on the edge that they share, and no gap.
#ifndef DISPLACEMENT_LEVELS
#define DISPLACEMENT_LEVELS
#include "bvh/bvh.glsl"
#include "bvh/triangle.glsl"
#include "patch.glsl"

// --- places --------------------------------------------------------------------------------------
// Patches in several places: by the instances of bvh/instances. What is hit of them has one number for
// patch and instance; all that a ray does with a patch is done in the space of the patches, where t is
// the same.

layout(constant_id = 47) const uint has_instances = 0u;
readonly buffer BvhInstances { uvec4 values[]; } bvh_instances;

struct PlacedPatch {
    uint patch_index;
    uint instance; // 0 where there are none
};

PlacedPatch placed_patch(uint number, uint patch_count) {
    if (has_instances == 0u) return PlacedPatch(number, 0u);
    return PlacedPatch(number % patch_count, number / patch_count);
}

// The rows of the inverse of an instance's matrix, each with a coordinate of where it moves the origin.
struct Placement {
    vec4 x;
    vec4 y;
    vec4 z;
};

Placement placement_of(uint instance) {
    uint at = kInstanceQuads * instance;
    return Placement(uintBitsToFloat(bvh_instances.values[at]),
                     uintBitsToFloat(bvh_instances.values[at + 1u]),
                     uintBitsToFloat(bvh_instances.values[at + 2u]));
}

vec3 turned_into(Placement to, vec3 v) {
    precise vec3 turned =
        vec3(to.x.x * v.x + to.x.y * v.y + to.x.z * v.z, to.y.x * v.x + to.y.y * v.y + to.y.z * v.z,
             to.z.x * v.x + to.z.y * v.y + to.z.z * v.z);
    return turned;
}

bool stands_still(uint instance) {
    return has_instances == 0u ||
           (bvh_instances.values[kInstanceQuads * instance + 3u].y & kUnmoved) != 0u;
}

vec3 place_into(uint instance, vec3 place) {
    if (stands_still(instance)) return place;
    Placement to = placement_of(instance);
    precise vec3 from = place - vec3(to.x.w, to.y.w, to.z.w);
    return turned_into(to, from);
}

Ray ray_into(uint instance, Ray ray) {
    if (stands_still(instance)) return ray;
    ray.origin = place_into(instance, ray.origin);
    ray.direction = turned_into(placement_of(instance), ray.direction);
    return ray;
}

// Back to the world.
vec3 place_out_of(uint instance, vec3 place) {
    if (stands_still(instance)) return place;
    Placement to = placement_of(instance);
    mat3 back = inverse(transpose(mat3(to.x.xyz, to.y.xyz, to.z.xyz)));
    return back * place + vec3(to.x.w, to.y.w, to.z.w);
}
vec3 direction_out_of(uint instance, vec3 direction) {
    if (stands_still(instance)) return direction;
    Placement to = placement_of(instance);
    return inverse(transpose(mat3(to.x.xyz, to.y.xyz, to.z.xyz))) * direction;
}
// A normal, whose length changes: what is interpolated between such is as in a mesh with a matrix.
vec3 turned_out_of(uint instance, vec3 normal) {
    if (stands_still(instance)) return normal;
    Placement to = placement_of(instance);
    return mat3(to.x.xyz, to.y.xyz, to.z.xyz) * normal;
}
// Of unit length again, or 0.
vec3 normal_out_of(uint instance, vec3 normal) {
    if (stands_still(instance)) return normal;
    vec3 turned = turned_out_of(instance, normal);
    float size = length(turned);
    return size > 0.0 ? turned / size : turned;
}

// --- levels --------------------------------------------------------------------------------------

// Where a pixel is `spread` wide at distance 1 from the eye; 0: all is cut to the finest level.
struct Fineness {
    vec3 eye;
    float spread;
};

layout(constant_id = 43) const uint from_eye = 0u; // 0: each ray's origin is its eye

Fineness fineness_of(Ray ray, uint instance, vec3 eye, float spread) {
    bool seen = from_eye != 0u && spread > 0.0;
    return Fineness(seen ? place_into(instance, eye) : ray.origin, spread);
}

struct PatchLevels {
    uint level;
    uvec4 edges; // ab, bc, cd, da
    uint wanted; // the level without a finest one
};

const uint kBeyondLevels = 13u;

float exact_length(vec3 v) {
    precise float squared = v.x * v.x + v.y * v.y + v.z * v.z;
    return sqrt(squared);
}

// The least power of two of parts of a length that are no larger than a pixel.
uint parts_of(float size, float pixel) {
    if (!(size < pixel * float(1u << kBeyondLevels))) return kBeyondLevels;
    // By the bits: llvmpipe counts the rounds of all loops together.
    precise float parts = size / pixel;
    return (floatBitsToUint(max(parts, 1.0)) + 0x7fffffu >> 23u) - 127u;
}

// Of an edge by its ends and its middle: the same to the bit whichever end comes first.
uint edge_level(vec3 from, vec3 middle, vec3 to, Fineness fineness) {
    precise float size = exact_length(middle - from) + exact_length(to - middle);
    precise float pixel = fineness.spread * exact_length(middle - fineness.eye);
    return parts_of(size, pixel);
}

PatchLevels levels_of(PatchRecord p, PatchBox box, Fineness fineness, uint finest, float scale) {
    if (!(fineness.spread > 0.0)) return PatchLevels(finest, uvec4(finest), finest);
    vec3 a = displaced_point(p, vec2(0.0, 0.0), scale);
    vec3 b = displaced_point(p, vec2(1.0, 0.0), scale);
    vec3 c = displaced_point(p, vec2(1.0, 1.0), scale);
    vec3 d = displaced_point(p, vec2(0.0, 1.0), scale);
    uvec4 edges = uvec4(edge_level(a, displaced_point(p, vec2(0.5, 0.0), scale), b, fineness),
                        edge_level(b, displaced_point(p, vec2(1.0, 0.5), scale), c, fineness),
                        edge_level(c, displaced_point(p, vec2(0.5, 1.0), scale), d, fineness),
                        edge_level(d, displaced_point(p, vec2(0.0, 0.5), scale), a, fineness));
    // What lies between the edges may be larger, and nearer.
    vec3 size = box.high - box.low;
    vec3 apart = max(max(box.low - fineness.eye, fineness.eye - box.high), vec3(0.0));
    uint wanted = parts_of(max(max(size.x, size.y), size.z), fineness.spread * length(apart));
    wanted = max(max(max(edges.x, edges.y), max(edges.z, edges.w)), wanted);
    uint level = min(wanted, finest);
    return PatchLevels(level, min(edges, uvec4(level)), wanted);
}

// Point (i, j) of the grid.
vec3 mesh_point(PatchRecord p, uvec2 at, PatchLevels levels, float scale) {
    uint last = 1u << levels.level;
    uvec4 steps = uvec4(last) >> levels.edges; // a power of two each
    uvec2 moved = at;
    if (at.y == 0u) moved.x &= ~(steps.x - 1u);
    if (at.x == last) moved.y &= ~(steps.y - 1u);
    if (at.y == last) moved.x &= ~(steps.z - 1u);
    if (at.x == 0u) moved.y &= ~(steps.w - 1u);
    return grid_point(p, moved, levels.level, scale);
}

// No loop: llvmpipe counts the rounds of all loops together.
PatchBox with_points_of_edge(PatchBox box, PatchRecord p, uvec2 from, uvec2 to, uint level, float scale) {
    vec3 a = grid_point(p, from, level, scale);
    vec3 b = grid_point(p, to, level, scale);
    return PatchBox(min(box.low, min(a, b)), max(box.high, max(a, b)));
}

// Makes the box of a part of a patch, a cell of the grid of `depth`, hold the points of coarser edges
// that its own points have moved to.
PatchBox with_edges(PatchBox box, PatchRecord p, uvec2 cell, uint depth, PatchLevels levels,
                    float scale) {
    uint last = (1u << depth) - 1u;
    uvec4 first = uvec4(cell.x, cell.y, cell.x, cell.y) >> depth - min(levels.edges, uvec4(depth));
    uvec4 end = uvec4(1u) << levels.edges;
    bvec4 coarse = lessThan(levels.edges, uvec4(depth));
    if (coarse.x && cell.y == 0u)
        box = with_points_of_edge(box, p, uvec2(first.x, 0u), uvec2(first.x + 1u, 0u), levels.edges.x, scale);
    if (coarse.y && cell.x == last)
        box = with_points_of_edge(box, p, uvec2(end.y, first.y), uvec2(end.y, first.y + 1u), levels.edges.y, scale);
    if (coarse.z && cell.y == last)
        box = with_points_of_edge(box, p, uvec2(first.z, end.z), uvec2(first.z + 1u, end.z), levels.edges.z, scale);
    if (coarse.w && cell.x == 0u)
        box = with_points_of_edge(box, p, uvec2(0u, first.w), uvec2(0u, first.w + 1u), levels.edges.w, scale);
    return box;
}

bool has_coarse_edges(PatchLevels levels) {
    return any(lessThan(levels.edges, uvec4(levels.level)));
}

// The corners of a cell.
struct MeshCell {
    vec3 a;
    vec3 b;
    vec3 c;
    vec3 d;
};

MeshCell mesh_cell(PatchRecord p, uvec2 cell, PatchLevels levels, float scale) {
    uvec2 right = cell + uvec2(1u, 0u);
    uvec2 up = cell + uvec2(0u, 1u);
    // Points on a grid share much of their arithmetic.
    if (!has_coarse_edges(levels))
        return MeshCell(
            grid_point(p, cell, levels.level, scale), grid_point(p, right, levels.level, scale),
            grid_point(p, cell + 1u, levels.level, scale), grid_point(p, up, levels.level, scale));
    return MeshCell(mesh_point(p, cell, levels, scale), mesh_point(p, right, levels, scale),
                    mesh_point(p, cell + 1u, levels, scale), mesh_point(p, up, levels, scale));
}

// --- rays against cells ----------------------------------------------------------------------------
layout(constant_id = 41) const uint leaf_boxes = 0u; // 1: cells are their boxes, not two triangles

// The nearest hit on a patch so far. `cell`: twice the cell's number in its row-major grid, plus 1
// for the triangle at d; ~0 where there is none.
struct PatchHit {
    float t;
    uint cell;
    vec2 at; // each of 0 to 1 over the patch
};

void meet_cell(PreparedRay ray, PatchRecord p, uvec2 cell, PatchLevels levels, float scale,
               inout PatchHit best) {
    uint number = 2u * (cell.y * (1u << levels.level) + cell.x);
    float side = float(1u << levels.level);
    MeshCell at = mesh_cell(p, cell, levels, scale);
    if (leaf_boxes != 0u) {
        vec2 interval = interval_in(ray.slabs, min(min(at.a, at.b), min(at.c, at.d)),
                                    max(max(at.a, at.b), max(at.c, at.d)));
        float t = max(interval.x, 0.0);
        if (may_hit(interval, best.t) && (t < best.t || number < best.cell))
            best = PatchHit(t, number, (vec2(cell) + 0.5) / side);
        return;
    }
    Hit hit = Hit(best.t, best.cell, vec2(0.0), kNoInstance);
    meet_triangle(ray, at.a, at.b, at.c, number, hit);
    if (hit.triangle == number && best.cell != number)
        best = PatchHit(hit.t, number, (vec2(cell) + vec2(hit.barycentric.x + hit.barycentric.y,
                                                          hit.barycentric.y)) / side);
    hit = Hit(best.t, best.cell, vec2(0.0), kNoInstance);
    meet_triangle(ray, at.a, at.c, at.d, number + 1u, hit);
    if (hit.triangle == number + 1u && best.cell != number + 1u)
        best = PatchHit(hit.t, number + 1u,
                        (vec2(cell) + vec2(hit.barycentric.x,
                                           hit.barycentric.x + hit.barycentric.y)) / side);
}

#endif
