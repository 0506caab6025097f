// How fine patches are cut, by how large a pixel is where they are.
//
// A patch has 2^level cells a side, and each of its edges a level of its own, never more, which follows
// from the edge alone. Points on an edge move down to the next one that the edge's level has, so two
// patches of different levels have the same points on the edge that they share, and no gap.
#ifndef DISPLACEMENT_LEVELS
#define DISPLACEMENT_LEVELS
#include "patch.glsl"
#include "placed.glsl"

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

// Makes the box of a part of a patch, a cell of the grid of `depth`, hold the points of coarser edges
// that its own points have moved to.
PatchBox with_edges(PatchBox box, PatchRecord p, uvec2 cell, uint depth, PatchLevels levels,
                    float scale) {
    uint last = (1u << depth) - 1u;
    bvec4 touches = bvec4(cell.y == 0u, cell.x == last, cell.y == last, cell.x == 0u);
    for (uint edge = 0u; edge < 4u; ++edge) {
        uint level = levels.edges[edge];
        if (!touches[edge] || level >= depth) continue;
        bool along_x = (edge & 1u) == 0u;
        uint first = (along_x ? cell.x : cell.y) >> (depth - level);
        uint far = 1u << level;
        for (uint k = first; k <= first + 1u; ++k) {
            uvec2 at = along_x ? uvec2(k, edge == 0u ? 0u : far) : uvec2(edge == 3u ? 0u : far, k);
            vec3 place = grid_point(p, at, level, scale);
            box = PatchBox(min(box.low, place), max(box.high, place));
        }
    }
    return box;
}

bool has_coarse_edges(PatchLevels levels) {
    return any(lessThan(levels.edges, uvec4(levels.level)));
}

PatchBox mesh_cell_box(PatchRecord p, uvec2 cell, PatchLevels levels, float scale) {
    vec3 a = mesh_point(p, cell, levels, scale);
    vec3 b = mesh_point(p, cell + uvec2(1u, 0u), levels, scale);
    vec3 c = mesh_point(p, cell + 1u, levels, scale);
    vec3 d = mesh_point(p, cell + uvec2(0u, 1u), levels, scale);
    return PatchBox(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}

#endif
