#version 460
#extension GL_EXT_control_flow_attributes : require
// The divergence of smoke in bricks, by differences over two cells. Nothing flows through walls; where
// bricks are not active the velocity is 0. CURL: also the curl, and its length in the fourth number.
// HALF: on cells of 16 bits.
//! variants HALF=0,1 CURL=0,1

layout(local_size_x = 64) in;

#if HALF
#include "cells_half.glsl"
#else
#include "cells_full.glsl"
#endif
#include "sparse_fields.glsl"

readonly buffer Velocity { StoredCell cells[]; } velocity;
writeonly buffer Divergence { float cells[]; } divergence;
#if CURL
writeonly buffer Curl { StoredCell cells[]; } curl;
#endif

vec3 velocity_beside(WalkedCell walked, int axis, int step_) {
    uint at = index_beside(walked, axis, step_, false);
    return at == kNoBrick ? vec3(0.0) : cell_of(velocity.cells[at]).xyz;
}
// Of what `velocity_beside` gives: how fast fluid flows along the axis there.
float flow(WalkedCell walked, int axis, int step_, vec3 beside) {
    int cell = walked.origin[axis] + walked.local[axis] + step_;
    bool beyond = cell < 0 || cell >= kDomain[axis];
    return beyond ? -beside[axis] : beside[axis];
}

struct Change {
    vec4 whirl;
    float divergence;
};

Change change_of(WalkedCell walked) {
    precise vec3 slopes[3];
    precise vec3 gained;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        vec3 high = velocity_beside(walked, axis, 1);
        vec3 low = velocity_beside(walked, axis, -1);
        gained[axis] = flow(walked, axis, 1, high) - flow(walked, axis, -1, low);
        slopes[axis] = 0.5 * (high - low);
    }
    Change change;
    precise float sum = 0.5 * (gained.x + gained.y + gained.z);
    change.divergence = sum;
    change.whirl = vec4(0.0);
#if CURL
    precise vec3 whirl = vec3(slopes[1].z - slopes[2].y, slopes[2].x - slopes[0].z,
                              slopes[0].y - slopes[1].x);
    precise float size = sqrt(whirl.x * whirl.x + whirl.y * whirl.y + whirl.z * whirl.z);
    change.whirl = vec4(whirl, size);
#endif
    return change;
}

void main() {
    if (!group_has_brick()) return;
    Change changes[kWalkRounds];
    [[unroll]] for (uint i = 0u; i < kWalkRounds; ++i) {
        WalkedCell walked = walked_cell(i);
        if (walked.exists) changes[i] = change_of(walked);
    }
    [[unroll]] for (uint i = 0u; i < kWalkRounds; ++i) {
        WalkedCell walked = walked_cell(i);
        if (!walked.exists) continue;
        divergence.cells[walked.index] = changes[i].divergence;
#if CURL
        curl.cells[walked.index] = stored_cell(changes[i].whirl);
#endif
    }
}
