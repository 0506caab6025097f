#version 460
// An array of the whole domain as a field. Cells of bricks that reach beyond the domain are 0 there.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kWords = 1u; // of a cell

#include "sparse/walk.glsl"

readonly buffer Source { uint words[]; } source;
writeonly buffer Field { uint words[]; } field;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (any(greaterThanEqual(walked.local, kBrick))) return;
    ivec3 cell = walked.origin + walked.local;
    uint from = uint((cell.z * kDomainY + cell.y) * kDomainX + cell.x);
    for (uint k = 0u; k < kWords; ++k)
        field.words[kWords * walked.index + k] =
            walked.exists ? source.words[kWords * from + k] : 0u;
}
