#ifndef FLUID_SPARSE_FIELDS
#define FLUID_SPARSE_FIELDS
// Where the cells around one of an active brick are in fields.
#include "sparse/walk.glsl"

layout(constant_id = 20) const uint kWalls = 0u; // bit 2 * axis, + 1 of the high side: a wall

bool is_wall(int axis, bool high) {
    return (kWalls >> uint(2 * axis + (high ? 1 : 0)) & 1u) != 0u;
}

// What a coordinate along one axis, counted from the first cell of `walked`'s brick, says of the cell:
// whether it lies in the brick (0) or beside it (-1, 1), and its place there. Beyond a wall it is that
// of the cell before that. Nothing is beyond open sides, or more than a brick away.
struct Coordinate {
    int side;
    int place;
    bool exists;
};

Coordinate coordinate(WalkedCell walked, int axis, int local) {
    int cell = walked.origin[axis] + local;
    bool high = cell >= kDomain[axis];
    bool exists = true;
    if (high || cell < 0) {
        exists = is_wall(axis, high);
        local = (high ? kDomain[axis] - 1 : 0) - walked.origin[axis];
    }
    int side = int(local >= kBrick[axis]) - int(local < 0);
    int place = local - side * kBrick[axis];
    return Coordinate(side, place, exists && place >= 0 && place < kBrick[axis]);
}

// The index in fields of a cell; kNoBrick where there is none, or its brick is not active. `kept`: of
// fields of the execution before.
uint index_of(WalkedCell walked, Coordinate x, Coordinate y, Coordinate z, bool kept) {
    if (!(x.exists && y.exists && z.exists)) return kNoBrick;
    int beside = (z.side * 3 + y.side) * 3 + x.side;
    uint word = walked.word;
    if (beside != 0) word = brick_neighbors.words[27u * slot_of(word) + uint(beside + 13)];
    if (kept ? !is_kept(word) : !is_active(word)) return kNoBrick;
    return slot_of(word) * kBrickCells + cell_in_brick(ivec3(x.place, y.place, z.place));
}

// What is beside `walked`'s brick on one side, the same for all of its cells. No arrays: a software
// device would read them from memory.
struct Side {
    int edge;   // the coordinate from which the next cell is beyond the side
    int inside; // from the index of a cell to that of the next one, before the edge
    int shift;  // and at the edge
    bool there; // there is a cell beyond the edge
};
struct Sides {
    bool own; // the brick itself is there
    Side low_x, high_x, low_y, high_y, low_z, high_z;
};

bool is_there(uint word, bool kept) {
    return kept ? is_kept(word) : is_active(word);
}

// `stride`: of the axis, in indices; `near`: in bricks around a brick.
Side side_of(WalkedCell walked, int axis, bool high, int stride, int near, bool kept) {
    int left = kDomain[axis] - walked.origin[axis];
    Side side;
    side.edge = high ? min(kBrick[axis], left) - 1 : 0;
    side.inside = high ? stride : -stride;
    side.shift = 0; // beyond a wall is the cell before it
    if (high ? left <= kBrick[axis] : walked.origin[axis] == 0) {
        side.there = is_wall(axis, high) && is_there(walked.word, kept);
        return side;
    }
    uint slot = slot_of(walked.word);
    uint word = brick_neighbors.words[27u * slot + uint(13 + (high ? near : -near))];
    side.there = is_there(word, kept);
    side.shift = int((slot_of(word) - slot) * kBrickCells) - (kBrick[axis] - 1) * side.inside;
    return side;
}

Sides sides_of(WalkedCell walked, bool kept) {
    const int kLayer = kBrickX * kBrickY;
    return Sides(is_there(walked.word, kept), side_of(walked, 0, false, 1, 1, kept),
                 side_of(walked, 0, true, 1, 1, kept), side_of(walked, 1, false, kBrickX, 3, kept),
                 side_of(walked, 1, true, kBrickX, 3, kept),
                 side_of(walked, 2, false, kLayer, 9, kept),
                 side_of(walked, 2, true, kLayer, 9, kept));
}

// The index of the cell beside one that has index `own` and coordinate `local` across the side;
// kNoBrick where there is none.
uint index_beside(Sides sides, Side side, uint own, int local) {
    bool leaves = local == side.edge;
    bool there = leaves ? side.there : sides.own;
    return there ? own + uint(leaves ? side.shift : side.inside) : kNoBrick;
}

// The indices of the cells beside a cell.
struct Beside {
    uint low_x, high_x, low_y, high_y, low_z, high_z;
};
Beside cells_beside(WalkedCell walked, Sides sides) {
    uint own = walked.index;
    return Beside(index_beside(sides, sides.low_x, own, walked.local.x),
                  index_beside(sides, sides.high_x, own, walked.local.x),
                  index_beside(sides, sides.low_y, own, walked.local.y),
                  index_beside(sides, sides.high_y, own, walked.local.y),
                  index_beside(sides, sides.low_z, own, walked.local.z),
                  index_beside(sides, sides.high_z, own, walked.local.z));
}

// The cells around a place, and where it is between them.
struct Corners {
    uint at[8]; // as `index_of`, x fastest
    vec3 share;
};

// `off`: from the middle of the cell, cells. It does not matter how far the cell is from the origin,
// so that results are the same to the bit however the domain is divided.
Corners corners_around(WalkedCell walked, vec3 off, bool kept) {
    vec3 low = floor(off);
    ivec3 base = walked.local + ivec3(low);
    Corners corners;
    corners.share = off - low;
    Coordinate x[2], y[2], z[2];
    for (int i = 0; i < 2; ++i) {
        x[i] = coordinate(walked, 0, base.x + i);
        y[i] = coordinate(walked, 1, base.y + i);
        z[i] = coordinate(walked, 2, base.z + i);
    }
    for (int i = 0; i < 8; ++i)
        corners.at[i] = index_of(walked, x[i & 1], y[i >> 1 & 1], z[i >> 2], kept);
    return corners;
}

vec4 between(vec4 a, vec4 b, float share) {
    precise vec4 result = a + share * (b - a);
    return result;
}
vec4 blended(vec4 values[8], vec3 share) {
    vec4 low = between(between(values[0], values[1], share.x), between(values[2], values[3], share.x),
                       share.y);
    vec4 high = between(between(values[4], values[5], share.x),
                        between(values[6], values[7], share.x), share.y);
    return between(low, high, share.z);
}

#endif
