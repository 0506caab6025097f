#version 460
// Velocity and dye of smoke in bricks, looked up where the fluid came from. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;
layout(constant_id = 3) const uint kKept = 1u; // 0: fields before have all active bricks
layout(constant_id = 1) const uint kFinish = 1u; // 0: a correction follows

#if HALF
#include "cells_half.glsl"
#else
#include "cells_full.glsl"
#endif
#include "sparse_fields.glsl"
#include "sparse_sources.glsl"

readonly buffer VelocityBefore { StoredCell cells[]; } velocity_before;
readonly buffer DyeBefore { StoredCell cells[]; } dye_before;
writeonly buffer VelocityAfter { StoredCell cells[]; } velocity_after;
writeonly buffer DyeAfter { StoredCell cells[]; } dye_after;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    bool kept = kKept == 0u || is_kept(walked.word);
    vec3 speed = kept ? cell_of(velocity_before.cells[walked.index]).xyz : vec3(0.0);
    Corners corners = corners_around(walked, -params.dt * speed, kKept != 0u);
    vec4 velocities[8];
    vec4 dyes[8];
    for (int i = 0; i < 8; ++i) {
        uint at = corners.at[i];
        velocities[i] = at == kNoBrick ? vec4(0.0) : cell_of(velocity_before.cells[at]);
        dyes[i] = at == kNoBrick ? vec4(0.0) : cell_of(dye_before.cells[at]);
    }
    vec4 velocity = blended(velocities, corners.share);
    vec4 dye = blended(dyes, corners.share);
    if (kFinish != 0u) add_sources(vec3(walked.origin + walked.local) + 0.5, velocity, dye);
    velocity_after.cells[walked.index] = stored_cell(velocity);
    dye_after.cells[walked.index] = stored_cell(dye);
}
