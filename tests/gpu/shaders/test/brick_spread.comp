#version 460
// A step of a substance in bricks that spreads and drifts; claims the bricks within two cells of it.
layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kWraps = 0u; // a bit for each periodic axis

#include "sparse/walk.glsl"
#include "sparse/map.glsl"
#include "sparse/claim.glsl"

readonly buffer Begun { float cells[]; } begun;
writeonly buffer Result { float cells[]; } result;

const float kLeast = 1e-3;
const int kGuard = 2;

bool wraps(int axis) {
    return (kWraps >> uint(axis) & 1u) != 0u;
}

float at(WalkedCell walked, ivec3 off) {
    ivec3 local = walked.local + off;
    for (int axis = 0; axis < 3; ++axis) {
        int cell = walked.origin[axis] + local[axis];
        if (!wraps(axis) && (cell < 0 || cell >= kDomain[axis])) return 0.0;
    }
    uint word = word_near(walked, local);
    return is_active(word) ? begun.cells[index_near(word, local)] : 0.0;
}

void claim_at(ivec3 cell) {
    for (int axis = 0; axis < 3; ++axis) {
        if (wraps(axis))
            cell[axis] = (cell[axis] + kDomain[axis]) % kDomain[axis];
        else if (cell[axis] < 0 || cell[axis] >= kDomain[axis])
            return;
    }
    uint number = brick_number(cell / kBrick);
    uint word = find_brick(number);
    claim_brick(number, is_active(word) ? slot_of(word) : kPendingBrick);
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    precise float flow = at(walked, ivec3(1, 0, 0)) + at(walked, ivec3(-1, 0, 0));
    flow = flow + (at(walked, ivec3(0, 1, 0)) + at(walked, ivec3(0, -1, 0)));
    flow = flow + (at(walked, ivec3(0, 0, 1)) + at(walked, ivec3(0, 0, -1)));
    // Corners as well, so that bricks that are missing there are noticed.
    flow = flow + at(walked, ivec3(-1, -1, -1));
    flow = flow + at(walked, ivec3(-1, 1, -1));
    precise float value = 0.3 * at(walked, ivec3(0)) + 0.0625 * flow;
    value = value + 0.25 * at(walked, ivec3(-1, 0, 0)); // what drifts
    result.cells[walked.index] = value;
    if (value < kLeast) return;
    ivec3 cell = walked.origin + walked.local;
    claim_at(cell);
    for (int i = 0; i < 27; ++i)
        claim_at(cell + kGuard * (ivec3(i % 3, i / 3 % 3, i / 9) - 1));
}
