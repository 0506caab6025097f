#version 460
// Adds a correction from cells of twice the size, linear between their middles.

layout(local_size_x = 256) in;

#include "sparse_fields.glsl"

uniform Params { float ghost; } params; // of the coarse level

readonly buffer Coarse { float cells[]; } coarse;
readonly buffer Pressure { float cells[]; } pressure;
writeonly buffer Result { float cells[]; } result;

const ivec3 kCoarse = ivec3((kBrickX + 1) / 2, (kBrickY + 1) / 2, (kBrickZ + 1) / 2);

// `at`: a coarse cell from the first one of the brick; `missing`: where there is none.
float coarse_at(WalkedCell walked, ivec3 at, float missing) {
    ivec3 cell = walked.origin + 2 * at;
    for (int axis = 0; axis < 3; ++axis) {
        bool high = cell[axis] >= kDomain[axis];
        if (!high && cell[axis] >= 0) continue;
        if (!is_wall(axis, high)) return missing;
        at[axis] = ((high ? kDomain[axis] - 1 : 0) - walked.origin[axis]) / 2;
    }
    ivec3 local = 2 * at;
    uint word = word_near(walked, local);
    if (!is_active(word)) return missing;
    ivec3 side = ivec3(greaterThanEqual(local, kBrick)) - ivec3(lessThan(local, ivec3(0)));
    at -= side * kCoarse;
    return coarse.cells[slot_of(word) * uint(kCoarse.x * kCoarse.y * kCoarse.z) +
                        uint((at.z * kCoarse.y + at.y) * kCoarse.x + at.x)];
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    ivec3 near = walked.local / 2;
    ivec3 far = near + (walked.local & 1) * 2 - 1;
    float missing = params.ghost * coarse_at(walked, near, 0.0);
    precise float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        bvec3 is_far = bvec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 share = mix(vec3(0.75), vec3(0.25), is_far);
        sum = sum + share.x * share.y * share.z * coarse_at(walked, mix(near, far, is_far), missing);
    }
    result.cells[walked.index] = pressure.cells[walked.index] + sum;
}
