#version 460
// What a substance in bricks was before a step, and a source of it.
layout(local_size_x = 256) in;

#include "sparse/walk.glsl"

uniform Params {
    ivec3 low; // of the source, cells
    ivec3 high;
    float rate;
} params;

readonly buffer Before { float cells[]; } before;
writeonly buffer Begun { float cells[]; } begun;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    float value = is_kept(walked.word) ? before.cells[walked.index] : 0.0;
    ivec3 cell = walked.origin + walked.local;
    if (all(greaterThanEqual(cell, params.low)) && all(lessThan(cell, params.high)))
        value += params.rate * (1.0 + 0.1 * float(cell.x % 3));
    begun.cells[walked.index] = value;
}
