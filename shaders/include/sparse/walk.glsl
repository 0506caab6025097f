#ifndef SPARSE_WALK
#define SPARSE_WALK
// For kernels that walk over all active bricks, 256 cells of a brick a group: of 256 invocations, or of
// 64 that have four cells each, so that more reads are under way at a time. Include it below the
// layout that declares their size.
#include "sparse/bricks.glsl"
#include "invocation.glsl"

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} brick_list;
readonly buffer BrickNeighbors { uint words[]; } brick_neighbors; // 27 slot words a slot

const uint kWalkGroup = 256u;
const uint kGroupsABrick = (kBrickCells + kWalkGroup - 1u) / kWalkGroup;

// What an invocation works on.
struct WalkedCell {
    uint number;  // of the brick
    uint word;    // its slot word
    ivec3 origin; // its first cell
    ivec3 local;  // the cell, from there
    uint index;   // in fields
    bool exists;  // there is such a cell in the domain
};

// Entry `brick` of the list, or another one where there are not so many.
uvec2 listed_brick(uint brick) {
    return brick_list.entries[min(brick, uint(brick_list.entries.length()) - 1u)];
}
// Whether there is a brick there. Its entry is on its way together with the count.
bool has_listed(uint brick) {
    return is_active(listed_brick(brick).y) && brick < brick_list.count;
}
// Whether the group has a brick; the same for all of it.
bool group_has_brick() {
    return has_listed(group_index() / kGroupsABrick);
}
// `round_`: of groups of 64 below 4, else 0.
WalkedCell walked_cell(uint round_) {
    uint group = group_index();
    uvec2 entry = listed_brick(group / kGroupsABrick);
    uint i = group % kGroupsABrick * kWalkGroup + round_ * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    WalkedCell walked;
    walked.number = entry.x;
    walked.word = entry.y;
    walked.origin = brick_at(entry.x) * kBrick;
    walked.local = cell_of_brick(i);
    walked.index = slot_of(entry.y) * kBrickCells + i;
    walked.exists = i < kBrickCells && is_in_domain(walked.origin + walked.local);
    return walked;
}
WalkedCell walked_cell() {
    return walked_cell(0u);
}
// That of a later round than `first`, without looking the brick up again.
WalkedCell walked_later(WalkedCell first, uint round_) {
    uint on = round_ * gl_WorkGroupSize.x;
    uint i = first.index - slot_of(first.word) * kBrickCells + on;
    first.local = cell_of_brick(i);
    first.index += on;
    first.exists = i < kBrickCells && is_in_domain(first.origin + first.local);
    return first;
}

// The slot word of the brick in which a cell is that is counted from the first one of `walked`'s
// brick, and lies at most a brick beyond its sides.
uint word_near(WalkedCell walked, ivec3 local) {
    ivec3 side = ivec3(greaterThanEqual(local, kBrick)) - ivec3(lessThan(local, ivec3(0)));
    if (side == ivec3(0)) return walked.word;
    if (any(lessThan(local + kBrick, ivec3(0))) || any(greaterThanEqual(local - kBrick, kBrick)))
        return kNoBrick;
    return brick_neighbors
        .words[27u * slot_of(walked.word) + uint((side.z * 3 + side.y) * 3 + side.x + 13)];
}
// Where in fields such a cell is; `word`: that of its brick, which is active.
uint index_near(uint word, ivec3 local) {
    ivec3 side = ivec3(greaterThanEqual(local, kBrick)) - ivec3(lessThan(local, ivec3(0)));
    return slot_of(word) * kBrickCells + cell_in_brick(local - side * kBrick);
}

#endif
