#version 460
// Two sweeps of sparse_jacobi in one pass over memory, with the same bits: of sweeps that are not damped,
// on the finest level. A group goes through a tile plane by plane along z. An invocation has up to three
// columns of the tile and of the two cells around it. It keeps their last values in registers, and
// shares each plane for the neighbours in x and y. A step takes in a plane of the pressure, does the
// first sweep of the plane before it, and the second sweep of the plane before that.
//
// Beyond a wall the cells before it come in reverse. So a cell there has the same neighbours as the cell
// that it repeats, and the first sweep gives both the same value.
//! variants LANES=64,256

layout(local_size_x = LANES) in;
layout(constant_id = 1) const uint kStart = 0u; // 1: from 0; 2: from the execution before

#include "sparse_tiles.glsl"
#include "sparse_fields.glsl"

readonly buffer Pressure { float cells[]; } pressure;
readonly buffer Divergence { float cells[]; } divergence;
writeonly buffer Result { float cells[]; } result;

const int kAround = 2; // cells
const int kWide = kTileX + 2 * kAround;
const int kPlane = kWide * (kTileY + 2 * kAround);
const int kLayer = kBrickX * kBrickY;
const int kLanes = LANES;
#if LANES == 64
const int kLargestPlane = 192; // kSmallPlane in passes/fluid/sparse_pressure.cpp
#else
const int kLargestPlane = 720; // of tiles of 32 x 16
#endif

// Planes of the step before and of this one.
shared float planes[2 * kLargestPlane];
shared float swept_planes[2 * kLargestPlane];

// As `coordinate`, but beyond a wall the cells before it come in reverse.
Coordinate reflected(WalkedCell tile, int axis, int local) {
    int cell = tile.origin[axis] + local;
    bool high = cell >= kDomain[axis];
    bool exists = true;
    if (high || cell < 0) {
        exists = is_wall(axis, high);
        local = (high ? 2 * kDomain[axis] : 0) - 1 - cell - tile.origin[axis];
    }
    int side = int(local >= kBrick[axis]) - int(local < 0);
    int place = local - side * kBrick[axis];
    return Coordinate(side, place, exists && place >= 0 && place < kBrick[axis]);
}

ivec2 place_in_tile(int at) {
    return ivec2(at % kWide, at / kWide) - kAround;
}

// The index in fields of a column's cell with z = 0 in the brick that is `side` bricks along z;
// kNoBrick where there is none.
uint base_of(WalkedCell tile, int at, int side, bool kept) {
    ivec2 local = tile.local.xy + place_in_tile(at);
    Coordinate x = reflected(tile, 0, local.x);
    Coordinate y = reflected(tile, 1, local.y);
    if (!(x.exists && y.exists)) return kNoBrick;
    int beside = (side * 3 + y.side) * 3 + x.side;
    uint word = tile.word;
    if (beside != 0) word = brick_neighbors.words[27u * slot_of(word) + uint(beside + 13)];
    if (!is_there(word, kept)) return kNoBrick;
    return slot_of(word) * kBrickCells + cell_in_brick(ivec3(x.place, y.place, 0));
}
uint index_from(uint base, Coordinate z) {
    return z.exists && base != kNoBrick ? base + uint(z.place * kLayer) : kNoBrick;
}

// The names of values are those of a step's planes: `above` is taken in, `here` gets the first sweep,
// and `below` the second one.
struct Column {
    int at;      // in planes
    bool exists;
    bool sweeps; // the first sweep is needed here
    bool stores; // the second one is
    uint base_pressure;
    uint base_divergence;
    float above, here, below;
    float swept_below, swept_lower; // lower: the plane under `below`
    float divergence_here, divergence_below;
    bool is_fluid_here; // there is a cell of an active brick
};
struct ReadAhead { // for the next step
    float pressure; // its `above`
    float divergence; // its `divergence_here`
    bool is_fluid;
};

Column column_of(WalkedCell tile, ivec3 end, int round_) {
    Column column;
    column.at = int(gl_LocalInvocationID.x) + round_ * kLanes;
    ivec2 place = place_in_tile(column.at);
    ivec2 size = end.xy - tile.local.xy;
    column.exists = column.at < kPlane && all(lessThan(place, size + kAround));
    column.sweeps =
        column.exists && all(greaterThanEqual(place, ivec2(-1))) && all(lessThanEqual(place, size));
    column.stores =
        column.exists && all(greaterThanEqual(place, ivec2(0))) && all(lessThan(place, size));
    column.base_pressure = column.base_divergence = kNoBrick;
    column.above = column.here = column.below = 0.0;
    column.swept_below = column.swept_lower = 0.0;
    column.divergence_here = column.divergence_below = 0.0;
    column.is_fluid_here = false;
    return column;
}

// A plane that is read, and whether it is the first one in its brick.
struct Plane {
    Coordinate z;
    bool turns;
};

ReadAhead read_ahead(inout Column column, WalkedCell tile, Plane above, Plane here) {
    ReadAhead ahead = ReadAhead(0.0, 0.0, false);
    if (kStart != 1u && column.exists) {
        if (above.turns)
            column.base_pressure = base_of(tile, column.at, above.z.side, kStart == 2u);
        uint at = index_from(column.base_pressure, above.z);
        if (at != kNoBrick) ahead.pressure = pressure.cells[at];
    }
    if (column.sweeps) {
        if (here.turns) column.base_divergence = base_of(tile, column.at, here.z.side, false);
        uint at = index_from(column.base_divergence, here.z);
        ahead.is_fluid = at != kNoBrick;
        if (ahead.is_fluid) ahead.divergence = divergence.cells[at];
    }
    return ahead;
}

float added(float high, float low) {
    precise float sum = high + low;
    return sum;
}
float swept(float x, float y, float z, float divergence_there) {
    precise float next = added(added(x, y), z) - divergence_there;
    next = next * (1.0 / 6.0);
    return next;
}

// `from`, `to`: where planes of the step before and of this one are. `index`: of the first cell of the tile
// in the plane `below`; kNoBrick: nothing is stored.
void take_step(inout Column column, ReadAhead ahead, WalkedCell tile, int from, int to, uint index) {
    if (!column.exists) return;
    int at = from + column.at;
    float first = 0.0;
    if (column.is_fluid_here && kStart == 1u) first = swept(0.0, 0.0, 0.0, column.divergence_here);
    if (column.is_fluid_here && kStart != 1u)
        first = swept(added(planes[at + 1], planes[at - 1]),
                      added(planes[at + kWide], planes[at - kWide]), added(column.above, column.below),
                      column.divergence_here);
    if (column.stores && index != kNoBrick) {
        float second = swept(added(swept_planes[at + 1], swept_planes[at - 1]),
                             added(swept_planes[at + kWide], swept_planes[at - kWide]),
                             added(first, column.swept_lower), column.divergence_below);
        ivec2 place = place_in_tile(column.at);
        result.cells[index + uint(place.y * kBrickX + place.x)] = second;
    }
    planes[to + column.at] = column.above;
    swept_planes[to + column.at] = first;
    column.below = column.here;
    column.here = column.above;
    column.above = ahead.pressure;
    column.swept_lower = column.swept_below;
    column.swept_below = first;
    column.divergence_below = column.divergence_here;
    column.divergence_here = ahead.divergence;
    column.is_fluid_here = ahead.is_fluid;
}

void main() {
    if (!group_has_tile()) return;
    WalkedCell tile = walked_tile();
    if (!tile.exists) return;
    ivec3 end = tile_end(tile);
    const bool kHasSecond = kPlane > kLanes;
    const bool kHasThird = kPlane > 2 * kLanes;
    Column a = column_of(tile, end, 0), b = column_of(tile, end, 1), c = column_of(tile, end, 2);
    int side_above = 2; // no brick's
    int side_here = 2;
    int from = 0;
    for (int z = tile.local.z - kAround - 1; z < end.z + kAround; ++z) { // of `above`
        Plane above, here;
        above.z = reflected(tile, 2, z + 1);
        above.turns = above.z.side != side_above;
        here.z = reflected(tile, 2, z);
        here.turns = here.z.side != side_here;
        side_above = above.z.side;
        side_here = here.z.side;
        ReadAhead ahead_a = read_ahead(a, tile, above, here), ahead_b, ahead_c;
        if (kHasSecond) ahead_b = read_ahead(b, tile, above, here);
        if (kHasThird) ahead_c = read_ahead(c, tile, above, here);

        int below = z - 2 - tile.local.z;
        uint index = below < 0 ? kNoBrick : tile.index + uint(below * kLayer);
        int to = kLargestPlane - from;
        take_step(a, ahead_a, tile, from, to, index);
        if (kHasSecond) take_step(b, ahead_b, tile, from, to, index);
        if (kHasThird) take_step(c, ahead_c, tile, from, to, index);
        from = to;
        barrier();
    }
}
