#version 460
// Two words a cell: which cell it is, and whose.
layout(local_size_x = 256) in;

#include "sparse/walk.glsl"

uniform Params { uint owner; } params;

writeonly buffer Field { uvec2 cells[]; } field;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (any(greaterThanEqual(walked.local, kBrick))) return;
    ivec3 cell = walked.origin + walked.local;
    field.cells[walked.index] =
        uvec2(uint(cell.x) | uint(cell.y) << 16, uint(cell.z) | params.owner << 24);
}
