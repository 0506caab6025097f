#version 460
// To cells of twice the size: the mean of eight, times four, so that cells are of size 1 there, too.

layout(local_size_x = 256) in;
layout(constant_id = 1) const int kFineX = 8; // cells of a brick on the finer level
layout(constant_id = 2) const int kFineY = 8;
layout(constant_id = 3) const int kFineZ = 8;
layout(constant_id = 4) const int kFineDomainX = 8; // cells of the domain there
layout(constant_id = 5) const int kFineDomainY = 8;
layout(constant_id = 6) const int kFineDomainZ = 8;

#include "sparse/walk.glsl"

readonly buffer Fine { float cells[]; } fine;
writeonly buffer Result { float cells[]; } result;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    uint first = slot_of(walked.word) * uint(kFineX * kFineY * kFineZ);
    ivec3 domain = ivec3(kFineDomainX, kFineDomainY, kFineDomainZ);
    precise float sum = 0.0;
    float count = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 local = 2 * walked.local + ivec3(i & 1, i >> 1 & 1, i >> 2);
        if (any(greaterThanEqual(2 * walked.origin + local, domain))) continue;
        sum = sum + fine.cells[first + uint((local.z * kFineY + local.y) * kFineX + local.x)];
        count += 1.0;
    }
    result.cells[walked.index] = 4.0 * (sum / count);
}
