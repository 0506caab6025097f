// Which cells a triangle meets: separating axes (Schwarz and Seidel 2010) in floating point, with
// cells made larger by a margin, and by what rounding may come to. So no cell is missed; where
// coordinates are multiples of a large enough part of a cell and there is no margin, none is too
// much either.
#include "bits.glsl"
#include "bvh/triangle.glsl"
#include "cells.glsl"

const float kRounding = 1e-6;

// In cells, with the axis that the triangle looks along most in the place of z.
struct Turned {
    vec3 a;
    vec3 b;
    vec3 c;
    vec3 normal;
    vec3 normal_error;
    uint axis;
    ivec3 low; // cells of the bounding box that the grid has
    ivec3 high;
};

vec3 axis_back(vec3 v, uint axis) {
    return axis == 0u ? v.zxy : axis == 1u ? v.yzx : v;
}
ivec3 axis_back(ivec3 v, uint axis) {
    return axis == 0u ? v.zxy : axis == 1u ? v.yzx : v;
}

Turned turn_triangle(vec3 a, vec3 b, vec3 c, uvec3 dims, float margin) {
    vec3 ab = b - a;
    vec3 ac = c - a;
    vec3 size = abs(crossed(ab, ac));
    Turned t;
    t.axis = size.x >= size.y && size.x >= size.z ? 0u : size.y >= size.z ? 1u : 2u;
    t.a = axis_last(a, t.axis);
    t.b = axis_last(b, t.axis);
    t.c = axis_last(c, t.axis);
    vec3 d = axis_last(vec3(dims), t.axis);
    ab = axis_last(ab, t.axis);
    ac = axis_last(ac, t.axis);
    t.normal = crossed(ab, ac);
    t.normal_error = kRounding * (abs(ab.yzx * ac.zxy) + abs(ab.zxy * ac.yzx));
    vec3 least = min(t.a, min(t.b, t.c));
    vec3 most = max(t.a, max(t.b, t.c));
    // All kernels must find the same columns.
    precise vec3 low = least - (margin + kRounding * (abs(least) + d));
    precise vec3 high = most + (margin + kRounding * (abs(most) + d));
    // Within what integers hold; empty where the box is beside the grid.
    t.low = ivec3(clamp(floor(low), vec3(0.0), d));
    t.high = ivec3(clamp(floor(high), vec3(-1.0), d - 1.0));
    return t;
}

uint columns_of(Turned t) {
    ivec3 size = t.high - t.low + 1;
    return any(lessThanEqual(size, ivec3(0))) ? 0u : uint(size.x) * uint(size.y);
}

// A triangle with few columns is taken whole by an invocation, others a column at a time.
const uint kMaxOfWhole = 8u;
uint parts_of_columns(uint columns) {
    return columns > kMaxOfWhole ? columns : 1u;
}

ivec2 column_at(Turned t, uint i) {
    uint width = uint(t.high.x - t.low.x + 1);
    return t.low.xy + ivec2(i % width, i / width);
}

// Whether the projection of a box around `middle` may meet the inner side of the edge's line.
// `sense`: how the projected triangle turns.
bool passes_edge(vec2 from, vec2 to, vec2 middle, float sense, float reach, float grid) {
    vec2 inward = sense * vec2(from.y - to.y, to.x - from.x);
    vec2 size = abs(inward);
    float error = kRounding * dot(size, abs(from) + abs(to) + grid);
    return dot(inward, middle - from) + reach * (size.x + size.y) + error >= 0.0;
}

bool passes_edges(vec2 a, vec2 b, vec2 c, vec2 middle, float turn, float reach, float grid) {
    float sense = turn < 0.0 ? -1.0 : 1.0;
    return passes_edge(a, b, middle, sense, reach, grid) &&
           passes_edge(b, c, middle, sense, reach, grid) &&
           passes_edge(c, a, middle, sense, reach, grid);
}

// The cells that the plane passes in a column, of those of the bounding box: x to y.
ivec2 cells_in_column(Turned t, ivec2 column, float margin, float grid) {
    vec2 middle = vec2(column) + 0.5;
    if (!passes_edges(t.a.xy, t.b.xy, t.c.xy, middle, t.normal.z, 0.5 + margin, grid))
        return ivec2(0, -1);
    vec2 slope = -t.normal.xy / t.normal.z;
    vec2 apart = middle - t.a.xy;
    float z = t.a.z + dot(slope, apart);
    vec2 tall = vec2(t.low.z, t.high.z);
    float depth = max(abs(t.b.z - t.a.z), abs(t.c.z - t.a.z)) + 1.0;
    float error = dot(t.normal_error, vec3(abs(apart) + 1.0, depth)) / abs(t.normal.z) +
                  kRounding * (abs(t.a.z) + dot(abs(slope), abs(apart)) + grid);
    float reach = (0.5 + margin) * (abs(slope.x) + abs(slope.y)) + margin + error;
    // Where the normal is no number, all cells remain.
    float low = z - reach > tall.x ? z - reach : tall.x;
    float high = z + reach < tall.y ? z + reach : tall.y;
    return ivec2(clamp(floor(vec2(low, high)), vec2(-1.0), vec2(grid)));
}

// The other two projections.
bool meets_cell(Turned t, ivec3 cell, float margin, float grid) {
    vec3 middle = vec3(cell) + 0.5;
    return passes_edges(t.a.yz, t.b.yz, t.c.yz, middle.yz, t.normal.x, 0.5 + margin, grid) &&
           passes_edges(t.a.zx, t.b.zx, t.c.zx, middle.zx, t.normal.y, 0.5 + margin, grid);
}

// --- the cells that a small triangle meets ----------------------------------------------------------
// In three words: its box's low cell, turned, with the axis above; a bit for each of 4^3 cells.

const uint kAxisShift = 30u;
const uint kUnknownCells = 3u << kAxisShift; // there are more, or they are columns' to find

struct MetCells {
    uint low;
    uint bits[2];
};

bool fits_met_cells(Turned t) {
    return all(lessThan(t.high - t.low, ivec3(4)));
}
MetCells no_met_cells(Turned t) {
    return MetCells(packed_cell(t.low) | t.axis << kAxisShift, uint[2](0u, 0u));
}
void add_met_cell(inout MetCells met, ivec3 inner) {
    uint bit = 1u << (inner.x | inner.y << 2 | (inner.z & 1) << 4);
    if (inner.z < 2) met.bits[0] |= bit;
    else met.bits[1] |= bit;
}

buffer Counts { uint values[]; } counts; // of a cell: its triangles, or those that are to come

// Nothing waits for what was there before.
void count_in_cell(uvec3 cell, uvec3 dims) {
    atomicAdd(counts.values[key_of(cell, dims)], 1u);
}
