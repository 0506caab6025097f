#ifndef FLUID_SPARSE_FIELDS
#define FLUID_SPARSE_FIELDS
// Where the cells around one of an active brick are in fields.
#include "sparse/walk.glsl"

layout(constant_id = 20) const uint kWalls = 0u; // bit 2 * axis, + 1 of the high side: a wall

bool is_wall(int axis, bool high) {
    return (kWalls >> uint(2 * axis + (high ? 1 : 0)) & 1u) != 0u;
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
    bool divides = kDomain[axis] % kBrick[axis] == 0;
    Side side;
    side.edge = !high ? 0 : divides ? kBrick[axis] - 1 : min(kBrick[axis], left) - 1;
    side.inside = high ? stride : -stride;
    side.shift = 0; // beyond a wall is the cell before it
    // There is no brick beyond the domain either, so that whole bricks need not look where they are.
    bool looks = is_wall(axis, high) || !divides;
    if (looks && (high ? left <= kBrick[axis] : walked.origin[axis] == 0)) {
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

// How much dye cells have that are one after the other in fields, known when dye is written.
const uint kRun = 32u; // cells
struct Run {
    uint present; // a bit a cell: has more than the least dye
    float mass;   // means of three colors, summed up
};
const uint kRunsABrick = kGroupsABrick * (kWalkGroup / kRun);

#endif
