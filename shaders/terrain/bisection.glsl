// Triangles made by bisecting the longest edge, and the concurrent binary tree that keeps them (Dupuy,
// "Concurrent Binary Trees", HPG 2020). C++: passes/terrain/bisection.hpp.
//
// A node is a number whose bits are its way from the root: children of k are 2 k and 2 k + 1. Squares
// of the surface are nodes of depth `root_bits`; each has four quarters, the triangles between a side
// and the middle, which are never merged. A triangle is (a, b, c) with its longest edge from a to c; it
// is cut from b to the middle m of that edge, into (a, m, b) and (b, m, c). The triangle across the
// longest edge must be cut in the same place, so both are cut at once or not at all.
//
// A tree of `depth` levels is a field of 2^depth bits: that of the leftmost position below the right
// child of each node that is cut. Leftmost positions of quarters count as set, and are not stored. So
// set bits are leaves, in the order of positions.
#ifndef TERRAIN_BISECTION
#define TERRAIN_BISECTION

#include "sums.glsl"
#include "surface.glsl"

// What becomes of a leaf in a step.
const uint kKeep = 0u;
const uint kCut = 1u;
const uint kMerge = 2u; // with its sibling, and the pair across

uint depth_of(uint node) {
    return uint(findMSB(node));
}

// Of a triangle, counted from the squares: 2 for quarters.
uint level_of(uint node, TreeShape shape) {
    return depth_of(node) - shape.root_bits;
}

// Position of the bit that says whether the node is cut.
uint cut_position(uint node, TreeShape shape) {
    uint right = 2u * node + 1u;
    uint depth = depth_of(right);
    return (right - (1u << depth)) << (shape.depth - depth);
}

bool may_be_cut(uint node, TreeShape shape) {
    return depth_of(node) < shape.depth;
}

// Which side of its square each quarter lies at: -u, +u, -v, +v are 0 to 3.
uint side_of_quarter(uint quarter) {
    return quarter == 0u ? 2u : quarter == 1u ? 0u : quarter == 2u ? 3u : 1u;
}

uint quarter_of_side(uint side) {
    return side == 0u ? 1u : side == 1u ? 3u : side == 2u ? 0u : 2u;
}

uint quarter_node(uint face, uint quarter, TreeShape shape) {
    return ((1u << shape.root_bits) + face) << 2u | quarter;
}

// Nodes of the same depth across the edges ab, bc and ac; 0 at the border.
uvec3 nodes_beside(uint node, TreeShape shape) {
    int below = int(depth_of(node) - shape.root_bits - 2u);
    uint top = node >> below;
    uint quarter = top & 3u;
    uint face = (top >> 2u) - (1u << shape.root_bits);
    uvec3 beside = uvec3(quarter_node(face, (quarter + 3u) & 3u, shape),
                         quarter_node(face, (quarter + 1u) & 3u, shape), 0u);
    uint side = side_of_quarter(quarter);
    uvec2 cell = uvec2(0u);
    if (step_beside(face, cell, side, 1u))
        beside.z = quarter_node(face, quarter_of_side(side), shape);
    for (int i = below - 1; i >= 0; --i) {
        // The edge ab of one is the edge bc of the other, and their longest edges are common.
        if ((node >> i & 1u) == 0u)
            beside = uvec3(beside.z == 0u ? 0u : 2u * beside.z + 1u, 2u * top + 1u,
                           beside.x == 0u ? 0u : 2u * beside.x + 1u);
        else
            beside = uvec3(2u * top, 2u * beside.z, 2u * beside.y);
        top = node >> i;
    }
    return beside;
}

struct Triangle {
    uint face;
    uvec2 a; // places, in units of 2^-31 of the square
    uvec2 b;
    uvec2 c;
};

Triangle bisected(Triangle t, uint right) {
    uvec2 m = (t.a >> 1u) + (t.c >> 1u);
    return right == 0u ? Triangle(t.face, t.a, m, t.b) : Triangle(t.face, t.b, m, t.c);
}

Triangle quarter_triangle(uint face, uint quarter) {
    uvec2 a = quarter == 0u ? uvec2(1u, 0u) : quarter == 1u ? uvec2(0u, 0u)
            : quarter == 2u ? uvec2(0u, 1u) : uvec2(1u, 1u);
    uvec2 c = quarter == 0u ? uvec2(0u, 0u) : quarter == 1u ? uvec2(0u, 1u)
            : quarter == 2u ? uvec2(1u, 1u) : uvec2(1u, 0u);
    return Triangle(face, a << 31u, uvec2(1u << 30u), c << 31u);
}

Triangle triangle_of(uint node, TreeShape shape) {
    int below = int(depth_of(node) - shape.root_bits - 2u);
    uint top = node >> below;
    Triangle t = quarter_triangle((top >> 2u) - (1u << shape.root_bits), top & 3u);
    for (int i = below - 1; i >= 0; --i) t = bisected(t, node >> i & 1u);
    return t;
}

// Whether a triangle is to be cut: where its longest edge looks longer than so many pixels.
//
// Lengths are those of the surface at its longest, distances those to a bound of all points that the
// triangle's descendants have, so a triangle that is to be cut has ancestors that are, too, and what
// comes out depends on the eye alone.

struct LodView {
    vec4 eye;   // world; w: 1, or 0 for orthographic cameras
    vec2 scale; // pixels a world unit at distance 1, over the pixels of an edge; 0
};

// About the middle of the longest edge, of which all descendants' longest edges have such a circle
// inside: 1.2071 = 1 / (2 sqrt(2) - 2).
const float kReach = 1.2072;

// Of the longest edge, over the square's side.
float edge_share(uint level) {
    uint twice = level - 2u;
    float power = uintBitsToFloat((127u - (twice >> 1u)) << 23u); // exact, as exp2 need not be
    return (twice & 1u) == 0u ? power : power * 0.70710678;
}

// Least and greatest y of the ground over the cell of the square that the triangle lies in.
vec2 triangle_bounds(Triangle t, uint level, vec2 bounds, SurfaceTerms terms) {
    uint cell_level = (level - 1u) >> 1u;
    uint size = 0x80000000u >> cell_level;
    uvec2 cell = min(t.a, min(t.b, t.c)) / size;
    precise vec2 low = vec2(cell) * (float(size) * kPlaceUnit);
    precise vec2 high = vec2(cell + 1u) * (float(size) * kPlaceUnit);
    return ground_bounds(low, high, bounds, terms);
}

float triangle_distance(Triangle t, uint level, float reach, vec3 eye, vec2 bounds,
                        SurfaceTerms terms) {
    uvec2 m = (t.a >> 1u) + (t.c >> 1u);
    vec3 to_middle = surface_base_at(t.face, m, terms) - eye;
    if (!is_ground()) {
        precise float away = sqrt(to_middle.x * to_middle.x + to_middle.y * to_middle.y +
                                  to_middle.z * to_middle.z);
        return max(away - reach, 0.0);
    }
    vec2 y = triangle_bounds(t, level, bounds, terms);
    precise float flat_distance = sqrt(to_middle.x * to_middle.x + to_middle.z * to_middle.z);
    float beside = max(flat_distance - reach, 0.0);
    float above = max(max(eye.y - y.y, y.x - eye.y), 0.0);
    precise float result = sqrt(beside * beside + above * above);
    return result;
}

bool triangle_is_large(Triangle t, uint level, LodView view, vec2 bounds, SurfaceTerms terms) {
    precise float edge = edge_share(level) * surface_span(terms);
    float away = triangle_distance(t, level, kReach * edge, view.eye.xyz, bounds, terms);
    away = view.eye.w > 0.5 ? away : 1.0;
    precise float pixels = edge * view.scale.x;
    return pixels > away;
}

bool is_to_be_cut(uint node, TreeShape shape, LodView view, vec2 bounds, SurfaceTerms terms) {
    return may_be_cut(node, shape) && triangle_is_large(triangle_of(node, shape),
                                                        level_of(node, shape), view, bounds, terms);
}

#endif
