#version 460
// A sweep of Jacobi's for the pressure in bricks: laplace(p) = divergence, cells of size 1. WIDE: four
// cells of a row at a time.
//! variants WIDE=0,1

#if WIDE
layout(local_size_x = 64) in;
#else
layout(local_size_x = 128) in;
#endif
layout(constant_id = 1) const uint kStart = 0u;  // 1: from 0; 2: from the execution before
layout(constant_id = 2) const uint kDamped = 0u; // 1: by `omega`

#define FLOW 0
#include "sparse_columns.glsl"

#if WIDE
#define Row vec4
#else
#define Row float
#endif

uniform Params {
    float omega;
    float ghost; // of the level: see sparse_pressure.glsl
} params;

readonly buffer Pressure { Row rows[]; } pressure;
readonly buffer PressureCells { float cells[]; } pressure_cells;
readonly buffer Divergence { Row rows[]; } divergence;
writeonly buffer Result { Row rows[]; } result;

Row row_at(uint at, uint up) {
    return at == kNoBrick ? Row(0.0) : pressure.rows[(at + up) / kWide];
}
float cell_at(uint at, uint up) {
    return at == kNoBrick ? 0.0 : pressure_cells.cells[at + up];
}
float missing(uint at) {
    return at == kNoBrick ? 1.0 : 0.0;
}

// Of a column's first row: of `high_x` that beside its last cell.
Beside rows_beside(WalkedCell column, Sides sides) {
    Beside at = cells_beside(column, sides);
    int last = int(kWide) - 1;
    at.high_x = index_beside(sides, sides.high_x, column.index + uint(last), column.local.x + last);
    return at;
}

// Where the layer above one of a column's is.
uint index_above(WalkedCell column, Sides sides, int layer) {
    uint up = to_layer(column, layer);
    return index_beside(sides, sides.high_z, column.index + up, column.local.z + int(up / kLayer));
}
Row above(WalkedCell column, Sides sides, int layer) {
    return kStart == 1u ? Row(0.0) : row_at(index_above(column, sides, layer), 0u);
}

Row swept(WalkedCell column, Sides sides, Beside at, int layer, Row below, Row own, Row above) {
    uint up = to_layer(column, layer);
    Row from = divergence.rows[(column.index + up) / kWide];
    Row sum = Row(0.0);
    if (kStart != 1u) {
        float left = cell_at(at.low_x, up), right = cell_at(at.high_x, up);
#if WIDE
        precise Row around = vec4(own.yzw, right) + vec4(left, own.xyz);
#else
        precise Row around = right + left;
#endif
        around = around + (row_at(at.high_y, up) + row_at(at.low_y, up));
        around = around + (above + below);
        sum = around;
    }
    precise Row next = sum - from;
    if (kDamped == 0u) {
        next = next * (1.0 / 6.0);
        return next;
    }
    float ghosts = 0.0;
    if (kStart != 1u) {
        ghosts = missing(at.low_y) + missing(at.high_y);
        uint first = layer == 0 ? at.low_z : 0u;
        ghosts += missing(first) + missing(index_above(column, sides, layer));
    }
    Row beside = Row(0.0);
#if WIDE
    if (kStart != 1u) beside = vec4(missing(at.low_x), 0.0, 0.0, missing(at.high_x));
#else
    if (kStart != 1u) beside = missing(at.low_x) + missing(at.high_x);
#endif
    precise Row diagonal = 6.0 - params.ghost * (ghosts + beside);
    next = own + params.omega * (next / diagonal - own);
    return next;
}

void store(WalkedCell column, int layer, Row next) {
    if (has_layer(column, layer)) result.rows[(column.index + uint(layer) * kLayer) / kWide] = next;
}

void main() {
    WalkedCell column = walked_column();
    if (!column.exists) return;
    Sides sides = sides_of(column, kStart == 2u);
    Beside at = rows_beside(column, sides);
    // No loop: one that tools unroll may lose what `precise` says.
    Row below = kStart == 1u ? Row(0.0) : row_at(at.low_z, 0u);
    Row p0 = kStart == 1u || !sides.own ? Row(0.0) : row_at(column.index, 0u);
    Row p1 = above(column, sides, 0), p2 = above(column, sides, 1);
#if WIDE
    Row p3 = above(column, sides, 2), p4 = above(column, sides, 3), p5 = above(column, sides, 4);
    Row p6 = above(column, sides, 5), p7 = above(column, sides, 6), p8 = above(column, sides, 7);
#endif
    Row next0 = swept(column, sides, at, 0, below, p0, p1);
    Row next1 = swept(column, sides, at, 1, p0, p1, p2);
#if WIDE
    Row next2 = swept(column, sides, at, 2, p1, p2, p3);
    Row next3 = swept(column, sides, at, 3, p2, p3, p4);
    Row next4 = swept(column, sides, at, 4, p3, p4, p5);
    Row next5 = swept(column, sides, at, 5, p4, p5, p6);
    Row next6 = swept(column, sides, at, 6, p5, p6, p7);
    Row next7 = swept(column, sides, at, 7, p6, p7, p8);
#endif
    store(column, 0, next0);
    store(column, 1, next1);
#if WIDE
    store(column, 2, next2);
    store(column, 3, next3);
    store(column, 4, next4);
    store(column, 5, next5);
    store(column, 6, next6);
    store(column, 7, next7);
#endif
}
