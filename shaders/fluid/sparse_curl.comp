#version 460
// The curl of smoke's velocity in bricks, and its length in the fourth number.
// HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;

#if HALF
#include "cells_half.glsl"
#else
#include "cells_full.glsl"
#endif
#include "sparse_fields.glsl"

readonly buffer Velocity { StoredCell cells[]; } velocity;
writeonly buffer Curl { StoredCell cells[]; } curl;

vec3 velocity_beside(WalkedCell walked, int axis, int step_) {
    uint at = index_beside(walked, axis, step_, false);
    return at == kNoBrick ? vec3(0.0) : cell_of(velocity.cells[at]).xyz;
}
vec3 slope(WalkedCell walked, int axis) {
    precise vec3 change = velocity_beside(walked, axis, 1) - velocity_beside(walked, axis, -1);
    return 0.5 * change;
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    vec3 x = slope(walked, 0);
    vec3 y = slope(walked, 1);
    vec3 z = slope(walked, 2);
    precise vec3 whirl = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
    precise float size = sqrt(whirl.x * whirl.x + whirl.y * whirl.y + whirl.z * whirl.z);
    curl.cells[walked.index] = stored_cell(vec4(whirl, size));
}
