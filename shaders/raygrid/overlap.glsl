// Which cells a triangle meets: separating axes (Schwarz and Seidel 2010) in floating point, with
// cells made larger by a margin, and by what rounding may come to. So no cell is missed; where
// coordinates are multiples of a large enough part of a cell and there is no margin, none is too
// much either.
#extension GL_EXT_control_flow_attributes : require
#include "bits.glsl"
#include "bvh/triangle.glsl"
#include "cells.glsl"

const float kRounding = 1e-6;

// The cells of a triangle's bounding box that the grid has.
struct CellBox {
    ivec3 low;
    ivec3 high;
};

CellBox box_of(vec3 a, vec3 b, vec3 c, uvec3 dims, float margin) {
    vec3 d = vec3(dims);
    vec3 least = min(a, min(b, c));
    vec3 most = max(a, max(b, c));
    // All kernels must find the same boxes.
    precise vec3 low = least - (margin + kRounding * (abs(least) + d));
    precise vec3 high = most + (margin + kRounding * (abs(most) + d));
    // Within what integers hold; empty where the box is beside the grid.
    return CellBox(ivec3(clamp(floor(low), vec3(0.0), d)),
                   ivec3(clamp(floor(high), vec3(-1.0), d - 1.0)));
}

bool is_empty(CellBox box) {
    return any(lessThan(box.high, box.low));
}

// --- small triangles --------------------------------------------------------------------------------
// An invocation finds all cells of one, a bit for each of 4^3 from the low cell of its box on.

const int kSmallSide = 4;

bool is_small(CellBox box) {
    ivec3 size = box.high - box.low + 1;
    return all(lessThanEqual(size, ivec3(kSmallSide))) && size.x * size.y * size.z <= 32;
}

// A point is on the inner side where dot(inward, point) + offset is not negative.
struct InnerSide {
    vec2 inward;
    float offset;
};

// Of a projected edge, moved outwards by what a box around a point reaches. `sense`: how the projected
// triangle turns.
InnerSide inner_side(vec2 from, vec2 to, float sense, float reach, float grid) {
    vec2 inward = sense * vec2(from.y - to.y, to.x - from.x);
    vec2 size = abs(inward);
    float error = kRounding * dot(size, abs(from) + abs(to) + grid);
    return InnerSide(inward, reach * (size.x + size.y) + error - dot(inward, from));
}

bool is_inside(InnerSide side, vec2 point) {
    return dot(side.inward, point) + side.offset >= 0.0;
}

uvec2 add_cell(uvec2 bits, ivec3 inner) {
    uint bit = 1u << (inner.x | inner.y << 2 | (inner.z & 1) << 4);
    return inner.z < 2 ? uvec2(bits.x | bit, bits.y) : uvec2(bits.x, bits.y | bit);
}

// Some cells at once: what one waits for, all wait for together.
const uint kAtOnce = 4u;
struct Cells {
    uvec3 cell[kAtOnce];
    bool there[kAtOnce];
};

// Takes cells out of `bits`.
Cells take_cells(ivec3 low, inout uvec2 bits) {
    Cells cells;
    [[unroll]] for (uint k = 0u; k < kAtOnce; ++k) {
        bool first = bits.x != 0u;
        uint word = first ? bits.x : bits.y;
        int bit = findLSB(word);
        cells.there[k] = word != 0u;
        cells.cell[k] = uvec3(low + ivec3(bit & 3, bit >> 2 & 3, bit >> 4 & 1 | (first ? 0 : 2)));
        word &= word - 1u;
        bits = first ? uvec2(word, bits.y) : uvec2(0u, word);
    }
    return cells;
}

// The cells that a small triangle meets. Its corners from the box's low cell on, `size`: of the box.
uvec2 small_cells(vec3 a, vec3 b, vec3 c, ivec3 size, float margin, float grid) {
    vec3 ab = b - a;
    vec3 ac = c - a;
    vec3 normal = crossed(ab, ac);
    vec3 normal_error = kRounding * (abs(ab.yzx * ac.zxy) + abs(ab.zxy * ac.yzx));
    float reach = 0.5 + margin;
    vec3 tall = abs(normal);
    float thick = reach * (tall.x + tall.y + tall.z) +
                  dot(normal_error, abs(a) + float(kSmallSide + 1)) +
                  kRounding * dot(tall, abs(a) + grid);
    vec3 sense = mix(vec3(1.0), vec3(-1.0), lessThan(normal, vec3(0.0)));
    InnerSide x[3] = InnerSide[3](inner_side(a.yz, b.yz, sense.x, reach, grid),
                                  inner_side(b.yz, c.yz, sense.x, reach, grid),
                                  inner_side(c.yz, a.yz, sense.x, reach, grid));
    InnerSide y[3] = InnerSide[3](inner_side(a.zx, b.zx, sense.y, reach, grid),
                                  inner_side(b.zx, c.zx, sense.y, reach, grid),
                                  inner_side(c.zx, a.zx, sense.y, reach, grid));
    InnerSide z[3] = InnerSide[3](inner_side(a.xy, b.xy, sense.z, reach, grid),
                                  inner_side(b.xy, c.xy, sense.z, reach, grid),
                                  inner_side(c.xy, a.xy, sense.z, reach, grid));
    uvec2 bits = uvec2(0u);
    ivec3 at = ivec3(0);
    while (at.z < size.z) {
        vec3 middle = vec3(at) + 0.5;
        // Where the normal is no number, all cells remain.
        bool meets = !(abs(dot(normal, middle - a)) > thick);
        [[unroll]] for (int k = 0; k < 3; ++k)
            meets = meets && is_inside(x[k], middle.yz) && is_inside(y[k], middle.zx) &&
                    is_inside(z[k], middle.xy);
        if (meets) bits = add_cell(bits, at);
        ++at.x;
        if (at.x == size.x) at = ivec3(0, at.y + 1, at.z);
        if (at.y == size.y) at = ivec3(0, 0, at.z + 1);
    }
    return bits;
}

// --- columns of large triangles ---------------------------------------------------------------------

// In cells, with the axis that the triangle looks along most in the place of z.
struct Turned {
    vec3 a;
    vec3 b;
    vec3 c;
    vec3 normal;
    vec3 normal_error;
    uint axis;
    ivec3 low; // cells of the bounding box
    ivec3 high;
};

ivec3 axis_back(ivec3 v, uint axis) {
    return axis == 0u ? v.zxy : axis == 1u ? v.yzx : v;
}

Turned turn_triangle(vec3 a, vec3 b, vec3 c, CellBox box) {
    vec3 ab = b - a;
    vec3 ac = c - a;
    vec3 size = abs(crossed(ab, ac));
    Turned t;
    t.axis = size.x >= size.y && size.x >= size.z ? 0u : size.y >= size.z ? 1u : 2u;
    t.a = axis_last(a, t.axis);
    t.b = axis_last(b, t.axis);
    t.c = axis_last(c, t.axis);
    ab = axis_last(ab, t.axis);
    ac = axis_last(ac, t.axis);
    t.normal = crossed(ab, ac);
    t.normal_error = kRounding * (abs(ab.yzx * ac.zxy) + abs(ab.zxy * ac.yzx));
    t.low = ivec3(axis_last(vec3(box.low), t.axis));
    t.high = ivec3(axis_last(vec3(box.high), t.axis));
    return t;
}

uint columns_of(Turned t) {
    ivec2 size = t.high.xy - t.low.xy + 1;
    return uint(size.x * size.y);
}

// Large triangles are listed by how many columns they have: up to 2^8, 2^12, 2^16 and 2^20.
const uint kSizes = 4u;
uint size_of_columns(uint columns) {
    uint bits = uint(findMSB(max(columns, 2u) - 1u));
    return bits < 8u ? 0u : bits / 4u - 1u;
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

// --- counting ---------------------------------------------------------------------------------------

buffer Counts { uint values[]; } counts; // triangles of each cell
buffer Words { uint values[]; } words;
buffer Blocks { uint words[]; } blocks;

// Says how many there were before.
uint count_in_cell(uvec3 cell, uvec3 dims) {
    return atomicAdd(counts.values[key_of(cell, dims)], 1u);
}

void set_bit(uint box, uvec2 bit) {
    atomicOr(blocks.words[2u * box + bit.x], 1u << bit.y);
}

// The first triangle of a cell marks it, so that few atomic operations meet in a word.
void mark_cell(uvec3 cell, uvec3 dims) {
    uvec2 bit = bit_of(cell, dims);
    atomicOr(words.values[bit.x], 1u << bit.y);
    set_bit(block_of(cell, dims), bit_in_box(cell));
    set_bit(region_of(cell, dims), bit_in_box(cell >> kBlockBits));
}
