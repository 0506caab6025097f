#version 460
// The divergence of smoke in bricks, by differences over two cells. Nothing flows through walls; where
// bricks are not active the velocity is 0. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;

#if HALF
#include "cells_half.glsl"
#else
#include "cells_full.glsl"
#endif
#include "sparse_fields.glsl"

readonly buffer Velocity { StoredCell cells[]; } velocity;
writeonly buffer Divergence { float cells[]; } divergence;

float speed_beside(WalkedCell walked, int axis, int step_) {
    int cell = walked.origin[axis] + walked.local[axis] + step_;
    bool beyond = cell < 0 || cell >= kDomain[axis];
    uint at = index_beside(walked, axis, step_, false);
    float speed = at == kNoBrick ? 0.0 : cell_of(velocity.cells[at])[axis];
    return beyond ? -speed : speed;
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    precise vec3 gained;
    for (int axis = 0; axis < 3; ++axis)
        gained[axis] = speed_beside(walked, axis, 1) - speed_beside(walked, axis, -1);
    precise float sum = 0.5 * (gained.x + gained.y + gained.z);
    divergence.cells[walked.index] = sum;
}
