#version 460
#extension GL_EXT_control_flow_attributes : require
// Two sweeps of sparse_jacobi.comp in one kernel, with the same bits: sweeps that are not damped, on the
// finest level. A group has a tile of 32 x 16 cells and kLayers layers. It does the first sweep of the tile and of the
// cells beside it, keeps that in shared memory, and does the second sweep of the tile. Bricks are whole
// tiles, and the domain whole bricks.

layout(local_size_x = 192) in;
layout(constant_id = 1) const uint kStart = 0u; // 1: from 0; 2: from the execution before
layout(constant_id = 2) const uint kLayers = 8u; // of a tile, a multiple of 4

#include "sparse_fields.glsl"

readonly buffer Pressure { vec4 rows[]; } pressure;
readonly buffer PressureCells { float cells[]; } pressure_cells;
readonly buffer Divergence { vec4 rows[]; } divergence;
readonly buffer DivergenceCells { float cells[]; } divergence_cells;
writeonly buffer Result { vec4 rows[]; } result;

// As sweep_tile in passes/sparse/store.cpp. An invocation has a column of four cells along x.
const int kTileX = 32, kTileY = 16;
const uint kColumns = uint(kTileX / 4 * kTileY);
const uint kRowEnds = 2u * uint(kTileX / 4); // columns of the rows before and behind the tile
const uint kSides = 160u;                    // the first invocation that has cells beside rows
const uint kLayer = uint(kBrickX * kBrickY); // cells

// The first sweep, in rows of four cells. Of the first four and the last four of a row one cell is used.
const uint kRowQuads = uint(kTileX / 4 + 2);
const uint kPlaneQuads = kRowQuads * uint(kTileY + 2);
shared vec4 swept[kPlaneQuads * kLayers];

// The cell at `to` of the walked brick, which may be one beyond its sides: then it is that of another
// brick or, beyond a wall, the one before it.
WalkedCell stepped(WalkedCell from, int axis, int to, int near) {
    from.local[axis] = to;
    bool high = to >= kBrick[axis];
    if (to < 0 || high) {
        int cell = from.origin[axis] + to;
        if (cell < 0 || cell >= kDomain[axis]) {
            from.exists = from.exists && is_wall(axis, high);
            from.local[axis] = high ? kBrick[axis] - 1 : 0;
        } else {
            uint slot = slot_of(from.word);
            from.word = brick_neighbors.words[27u * slot + uint(13 + (high ? near : -near))];
            from.exists = from.exists && is_active(from.word);
            from.origin[axis] += high ? kBrick[axis] : -kBrick[axis];
            from.local[axis] = high ? 0 : kBrick[axis] - 1;
        }
    }
    from.index = slot_of(from.word) * kBrickCells + cell_in_brick(from.local);
    return from;
}

vec4 row_at(uint at) {
    return kStart == 1u || at == kNoBrick ? vec4(0.0) : pressure.rows[at / 4u];
}
float cell_at(uint at) {
    return kStart == 1u || at == kNoBrick ? 0.0 : pressure_cells.cells[at];
}
uint above_or_none(uint at, uint up) {
    return at == kNoBrick ? kNoBrick : at + up;
}

// In the order of sparse_jacobi.comp.
vec4 relaxed_row(float left, vec4 own, float right, vec4 low_y, vec4 high_y, vec4 below, vec4 above, vec4 from) {
    precise vec4 around = vec4(own.yzw, right) + vec4(left, own.xyz);
    around = around + (high_y + low_y);
    around = around + (above + below);
    precise vec4 next = around - from;
    next = next * (1.0 / 6.0);
    return next;
}
float relaxed(float left, float right, float low_y, float high_y, float below, float above, float from) {
    precise float around = right + left;
    around = around + (high_y + low_y);
    around = around + (above + below);
    precise float next = around - from;
    next = next * (1.0 / 6.0);
    return next;
}

// What is beside a column's first row; of `high_x` beside its last cell.
Beside rows_beside(WalkedCell column, Sides sides) {
    Beside at = cells_beside(column, sides);
    at.high_x = index_beside(sides, sides.high_x, column.index + 3u, column.local.x + 3);
    return at;
}
uint index_above(WalkedCell column, Sides sides, int layer) {
    return index_beside(sides, sides.high_z, column.index + uint(layer) * kLayer, column.local.z + layer);
}

vec4 first_row(WalkedCell column, Beside at, uint up, vec4 below, vec4 own, vec4 above) {
    return relaxed_row(cell_at(above_or_none(at.low_x, up)), own, cell_at(above_or_none(at.high_x, up)),
                       row_at(above_or_none(at.low_y, up)), row_at(above_or_none(at.high_y, up)), below, above,
                       divergence.rows[(column.index + up) / 4u]);
}
vec4 row_above(WalkedCell column, Sides sides, int layer) {
    return row_at(index_above(column, sides, layer));
}

// The first sweep of one row.
vec4 single_row(WalkedCell column) {
    if (!column.exists) return vec4(0.0);
    Sides sides = sides_of(column, kStart == 2u);
    Beside at = rows_beside(column, sides);
    vec4 own = row_at(sides.own ? column.index : kNoBrick);
    return first_row(column, at, 0u, row_at(at.low_z), own, row_at(at.high_z));
}

// The first sweep of a column's layers, four at a time. `place`: of its first row in `swept`.
void sweep_rows(WalkedCell column, uint place) {
    if (!column.exists) {
        for (uint i = 0u; i < kLayers; ++i)
            swept[place + i * kPlaneQuads] = vec4(0.0);
        return;
    }
    Sides sides = sides_of(column, kStart == 2u);
    Beside at = rows_beside(column, sides);
    vec4 below = row_at(at.low_z);
    vec4 p0 = row_at(sides.own ? column.index : kNoBrick);
    [[dont_unroll]] for (int layer = 0; layer < int(kLayers); layer += 4) {
        uint up = uint(layer) * kLayer;
        vec4 p1 = row_above(column, sides, layer), p2 = row_above(column, sides, layer + 1);
        vec4 p3 = row_above(column, sides, layer + 2), p4 = row_above(column, sides, layer + 3);
        swept[place] = first_row(column, at, up, below, p0, p1);
        swept[place + kPlaneQuads] = first_row(column, at, up + kLayer, p0, p1, p2);
        swept[place + 2u * kPlaneQuads] = first_row(column, at, up + 2u * kLayer, p1, p2, p3);
        swept[place + 3u * kPlaneQuads] = first_row(column, at, up + 3u * kLayer, p2, p3, p4);
        place += 4u * kPlaneQuads;
        below = p3;
        p0 = p4;
    }
}

float first_cell(WalkedCell column, Beside at, uint up, float below, float above) {
    return relaxed(cell_at(above_or_none(at.low_x, up)), cell_at(above_or_none(at.high_x, up)),
                   cell_at(above_or_none(at.low_y, up)), cell_at(above_or_none(at.high_y, up)), below, above,
                   divergence_cells.cells[column.index + up]);
}
float cell_above(WalkedCell column, Sides sides, int layer) {
    return cell_at(index_above(column, sides, layer));
}

// The same for columns of one cell, which are beside rows.
void sweep_cells(WalkedCell column, uint place, uint component) {
    if (!column.exists) {
        for (uint i = 0u; i < kLayers; ++i)
            swept[place + i * kPlaneQuads][component] = 0.0;
        return;
    }
    Sides sides = sides_of(column, kStart == 2u);
    Beside at = cells_beside(column, sides);
    float below = cell_at(at.low_z);
    float p0 = cell_at(sides.own ? column.index : kNoBrick);
    [[dont_unroll]] for (int layer = 0; layer < int(kLayers); layer += 4) {
        uint up = uint(layer) * kLayer;
        float p1 = cell_above(column, sides, layer), p2 = cell_above(column, sides, layer + 1);
        float p3 = cell_above(column, sides, layer + 2), p4 = cell_above(column, sides, layer + 3);
        swept[place][component] = first_cell(column, at, up, below, p1);
        swept[place + kPlaneQuads][component] = first_cell(column, at, up + kLayer, p0, p2);
        swept[place + 2u * kPlaneQuads][component] = first_cell(column, at, up + 2u * kLayer, p1, p3);
        swept[place + 3u * kPlaneQuads][component] = first_cell(column, at, up + 3u * kLayer, p2, p4);
        place += 4u * kPlaneQuads;
        below = p3;
        p0 = p4;
    }
}

vec4 second_row(uint row, uint at, vec4 below, vec4 own, vec4 above) {
    return relaxed_row(swept[at - 1u].w, own, swept[at + 1u].x, swept[at - kRowQuads], swept[at + kRowQuads],
                       below, above, divergence.rows[row]);
}

void main() {
    const ivec3 tiles = ivec3(kBrickX / kTileX, kBrickY / kTileY, kBrickZ / int(kLayers));
    const uint in_brick = uint(tiles.x * tiles.y * tiles.z);
    uint brick = group_index() / in_brick;
    if (brick >= brick_list.count) return;
    uvec2 entry = brick_list.entries[brick];
    int tile = int(group_index() % in_brick);
    WalkedCell first;
    first.number = entry.x;
    first.word = entry.y;
    first.origin = brick_at(entry.x) * kBrick;
    first.local = ivec3(tile % tiles.x * kTileX, tile / tiles.x % tiles.y * kTileY,
                        tile / (tiles.x * tiles.y) * int(kLayers));
    first.index = slot_of(entry.y) * kBrickCells + cell_in_brick(first.local);
    first.exists = true;

    uint lane = gl_LocalInvocationID.x;
    const uint kQuadsX = uint(kTileX / 4);
    WalkedCell column = first;
    uint place = 0u;
    vec4 before = vec4(0.0), behind = vec4(0.0); // the first sweep below and above the column
    if (lane < kColumns + kRowEnds) {
        uint x = lane % kQuadsX, row = lane / kQuadsX; // rows 16 and 17 are those beside the tile
        column.local.x += 4 * int(x);
        int y = row < uint(kTileY) ? int(row) : (row == uint(kTileY) ? -1 : kTileY);
        column = stepped(column, 1, first.local.y + y, 3);
        place = uint(y + 1) * kRowQuads + x + 1u;
        if (lane < kColumns) {
            before = single_row(stepped(column, 2, first.local.z - 1, 9));
            behind = single_row(stepped(column, 2, first.local.z + int(kLayers), 9));
        }
        sweep_rows(column, place);
    } else if (lane >= kSides) {
        uint row = (lane - kSides) % uint(kTileY);
        bool high = lane - kSides >= uint(kTileY);
        column.local.y += int(row);
        column = stepped(column, 0, first.local.x + (high ? kTileX : -1), 1);
        sweep_cells(column, (row + 1u) * kRowQuads + (high ? kRowQuads - 1u : 0u), high ? 0u : 3u);
    }
    barrier();
    if (lane >= kColumns) return;
    vec4 p0 = swept[place];
    uint row = column.index / 4u;
    [[dont_unroll]] for (uint layer = 0u; layer < kLayers; layer += 4u) {
        const uint kUp = kLayer / 4u;
        vec4 p1 = swept[place + kPlaneQuads], p2 = swept[place + 2u * kPlaneQuads];
        vec4 p3 = swept[place + 3u * kPlaneQuads];
        vec4 p4 = behind;
        if (layer + 4u < kLayers) p4 = swept[place + 4u * kPlaneQuads];
        vec4 next0 = second_row(row, place, before, p0, p1);
        vec4 next1 = second_row(row + kUp, place + kPlaneQuads, p0, p1, p2);
        vec4 next2 = second_row(row + 2u * kUp, place + 2u * kPlaneQuads, p1, p2, p3);
        vec4 next3 = second_row(row + 3u * kUp, place + 3u * kPlaneQuads, p2, p3, p4);
        result.rows[row] = next0;
        result.rows[row + kUp] = next1;
        result.rows[row + 2u * kUp] = next2;
        result.rows[row + 3u * kUp] = next3;
        place += 4u * kPlaneQuads;
        row += 4u * kUp;
        before = p3;
        p0 = p4;
    }
}
