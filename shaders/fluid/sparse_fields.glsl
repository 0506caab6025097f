#ifndef FLUID_SPARSE_FIELDS
#define FLUID_SPARSE_FIELDS
// Where the cells around one of an active brick are in fields.
#include "sparse/walk.glsl"

layout(constant_id = 20) const uint kWalls = 0u; // bit 2 * axis, + 1 of the high side: a wall

bool is_wall(int axis, bool high) {
    return (kWalls >> uint(2 * axis + (high ? 1 : 0)) & 1u) != 0u;
}

// The index in fields of a cell, `local` from the first one of its brick and at most a brick beyond
// its sides. kNoBrick where nothing is: its brick is not active, or it is beyond an open side. Beyond
// a wall it is the cell before that. `kept`: of fields of the execution before.
uint index_at(WalkedCell walked, ivec3 local, bool kept) {
    ivec3 cell = walked.origin + local;
    bool own = all(greaterThanEqual(local, ivec3(0))) && all(lessThan(local, kBrick)) &&
               all(lessThan(cell, kDomain));
    if (!own)
        for (int axis = 0; axis < 3; ++axis) {
            bool high = cell[axis] >= kDomain[axis];
            if (!high && cell[axis] >= 0) continue;
            if (!is_wall(axis, high)) return kNoBrick;
            local[axis] = (high ? kDomain[axis] - 1 : 0) - walked.origin[axis];
        }
    uint word = own ? walked.word : word_near(walked, local);
    if (kept ? !is_kept(word) : !is_active(word)) return kNoBrick;
    return index_near(word, local);
}

ivec3 along(int axis, int step_) {
    ivec3 offset = ivec3(0);
    offset[axis] = step_;
    return offset;
}

// The cells around a place, and where it is between them.
struct Corners {
    uint at[8]; // as `index_at`, x fastest
    vec3 share;
};

// `off`: from the middle of the cell, cells. It does not matter how far the cell is from the origin,
// so that results are the same to the bit however the domain is divided.
Corners corners_around(WalkedCell walked, vec3 off, bool kept) {
    vec3 low = floor(off);
    ivec3 base = walked.local + ivec3(low);
    Corners corners;
    corners.share = off - low;
    for (int i = 0; i < 8; ++i)
        corners.at[i] = index_at(walked, base + ivec3(i & 1, i >> 1 & 1, i >> 2), kept);
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
