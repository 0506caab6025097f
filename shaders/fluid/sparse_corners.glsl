#ifndef FLUID_SPARSE_CORNERS
#define FLUID_SPARSE_CORNERS
// The cells around places near a cell, for groups that have one brick.
#include "sparse/map.glsl"
#include "sparse_fields.glsl"

// Of the 27 bricks around the group's: where the first cell is in fields, or kNoBrick. One more stands
// for what is not there.
shared uint near_bricks[2][28];

// For places of the fields of this execution, and of those before (`kept`). By the map, so that kernels
// need not wait until all neighbours are known.
void find_near_bricks(bool now, bool before) {
    uint i = gl_LocalInvocationIndex;
    if (i < 28u) {
        ivec3 brick = brick_at(walked_cell().number) + ivec3(i % 3u, i / 3u % 3u, i / 9u) - 1;
        bool there = i < 27u && is_in_grid(brick);
        uint word = there ? find_brick(brick_number(brick)) : kNoBrick;
        uint first = slot_of(word) * kBrickCells;
        if (now) near_bricks[0][i] = is_active(word) ? first : kNoBrick;
        if (before) near_bricks[1][i] = is_kept(word) ? first : kNoBrick;
    }
    barrier();
}

// What a coordinate along an axis says of the brick in which a cell is, and of its place there.
struct Along {
    uint brick; // a summand of its index in `near_bricks`; 27: not near, or in no brick
    uint place; // a summand of its index in the brick
};

// `local`: from the first cell of the brick. Beyond a wall it is that of the cell before that.
Along along(WalkedCell walked, int axis, int local, uint bricks, uint cells) {
    int left = kDomain[axis] - walked.origin[axis];
    if (is_wall(axis, false)) local = max(local, -walked.origin[axis]);
    if (is_wall(axis, true)) local = min(local, left - 1);
    int side = int(local >= kBrick[axis]) - int(local < 0);
    int place = local - side * kBrick[axis];
    bool exists = uint(place) < uint(kBrick[axis]);
    if (kDomain[axis] % kBrick[axis] != 0) exists = exists && local < left;
    return Along(exists ? uint(side + 1) * bricks : 27u, uint(place) * cells);
}

// Of the group's brick, along an axis.
uint last_in_brick(WalkedCell walked, int axis) {
    bool whole = kDomain[axis] % kBrick[axis] == 0;
    return uint(whole ? kBrick[axis] : min(kBrick[axis], kDomain[axis] - walked.origin[axis])) - 1u;
}

// The cells around a place where all are in rows of the cell's brick, or of those beside it along x, as
// most are: one after the other in fields, on each side.
struct CornerRows {
    bool all;      // else see corners_apart
    uint at[2];    // where the first corner of each side is, or one of the brick's cells
    bool there[2]; // the side has them
    vec3 share;    // where the place is between them
};

// `off`: from the middle of the cell, cells. It does not matter how far the cell is from the origin,
// so that results are the same to the bit however the domain is divided.
CornerRows rows_around(WalkedCell walked, vec3 off, bool kept) {
    vec3 low = floor(off);
    ivec3 base = walked.local + ivec3(low);
    CornerRows rows;
    rows.share = off - low;
    rows.all = uint(base.y) < last_in_brick(walked, 1) && uint(base.z) < last_in_brick(walked, 2);
    uint row = uint((base.z * kBrickY + base.y) * kBrickX);
    for (int i = 0; i < 2; ++i) {
        Along x = along(walked, 0, base.x + i, 1u, 1u);
        uint first = near_bricks[kept ? 1 : 0][min(x.brick + 12u, 27u)];
        rows.there[i] = first != kNoBrick;
        rows.at[i] = row + (rows.there[i] ? first + x.place : slot_of(walked.word) * kBrickCells);
    }
    return rows;
}
// Of the eight, x fastest.
uint place_in_rows(CornerRows rows, int i) {
    return rows.at[i & 1] + uint((i >> 1 & 1) * kBrickX + (i >> 2) * kBrickX * kBrickY);
}

// The cells around a place, and where it is between them.
struct Corners {
    uint at[8]; // in fields, or kNoBrick; x fastest
    vec3 share;
};

// Wherever they are.
Corners corners_apart(WalkedCell walked, vec3 off, bool kept) {
    vec3 low = floor(off);
    ivec3 base = walked.local + ivec3(low);
    Corners corners;
    corners.share = off - low;
    Along x[2], y[2], z[2];
    for (int i = 0; i < 2; ++i) {
        x[i] = along(walked, 0, base.x + i, 1u, 1u);
        y[i] = along(walked, 1, base.y + i, 3u, uint(kBrickX));
        z[i] = along(walked, 2, base.z + i, 9u, uint(kBrickX * kBrickY));
    }
    for (int i = 0; i < 8; ++i) {
        int a = i & 1, b = i >> 1 & 1, c = i >> 2;
        uint first = near_bricks[kept ? 1 : 0][min(x[a].brick + y[b].brick + z[c].brick, 27u)];
        corners.at[i] = first == kNoBrick ? kNoBrick : first + (x[a].place + y[b].place + z[c].place);
    }
    return corners;
}

Corners corners_around(WalkedCell walked, vec3 off, bool kept) {
    CornerRows rows = rows_around(walked, off, kept);
    if (!rows.all) return corners_apart(walked, off, kept);
    Corners corners;
    corners.share = rows.share;
    for (int i = 0; i < 8; ++i)
        corners.at[i] = rows.there[i & 1] ? place_in_rows(rows, i) : kNoBrick;
    return corners;
}

vec4 between(vec4 a, vec4 b, float share) {
    precise vec4 result = fma(vec4(share), b - a, a);
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
