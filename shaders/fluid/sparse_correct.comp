#version 460
#extension GL_EXT_control_flow_attributes : require
// MacCormack's correction of velocity and dye that were carried forth: half of what going forth and
// back changed is taken off, within the values around the place that they came from.
// HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 64) in;
layout(constant_id = 3) const uint kKept = 1u; // 0: fields before have all active bricks

#include "cells.glsl"
#include "sparse_corners.glsl"
#include "sparse_sources.glsl"

readonly buffer VelocityBefore { StoredCell cells[]; } velocity_before;
readonly buffer DyeBefore { StoredCell cells[]; } dye_before;
readonly buffer VelocityForth { StoredCell cells[]; } velocity_forth;
readonly buffer DyeForth { StoredCell cells[]; } dye_forth;
writeonly buffer VelocityAfter { StoredCell cells[]; } velocity_after;
writeonly buffer DyeAfter { StoredCell cells[]; } dye_after;

vec4 corrected(vec4 forth, vec4 before, vec4 back, vec4 least, vec4 most) {
    precise vec4 result = forth + 0.5 * (before - back);
    return clamp(result, least, most);
}

void correct(WalkedCell walked, uint round_) {
    bool kept = kKept == 0u || is_kept(walked.word);
    vec4 velocity = kept ? cell_of(velocity_before.cells[walked.index]) : vec4(0.0);
    vec4 dye = kept ? cell_of(dye_before.cells[walked.index]) : vec4(0.0);
    vec3 way = params.dt * velocity.xyz;

    Corners ahead = corners_around(walked, way, false);
    vec4 velocities[8];
    vec4 dyes[8];
    for (int i = 0; i < 8; ++i) {
        uint at = ahead.at[i];
        velocities[i] = at == kNoBrick ? vec4(0.0) : cell_of(velocity_forth.cells[at]);
        dyes[i] = at == kNoBrick ? vec4(0.0) : cell_of(dye_forth.cells[at]);
    }
    vec4 velocity_back = blended(velocities, ahead.share);
    vec4 dye_back = blended(dyes, ahead.share);

    Corners behind = corners_around(walked, -way, kKept != 0u);
    vec4 least_velocity = vec4(1e30), most_velocity = vec4(-1e30);
    vec4 least_dye = vec4(1e30), most_dye = vec4(-1e30);
    for (int i = 0; i < 8; ++i) {
        uint at = behind.at[i];
        vec4 v = at == kNoBrick ? vec4(0.0) : cell_of(velocity_before.cells[at]);
        vec4 d = at == kNoBrick ? vec4(0.0) : cell_of(dye_before.cells[at]);
        least_velocity = min(least_velocity, v);
        most_velocity = max(most_velocity, v);
        least_dye = min(least_dye, d);
        most_dye = max(most_dye, d);
    }
    velocity = corrected(cell_of(velocity_forth.cells[walked.index]), velocity, velocity_back,
                         least_velocity, most_velocity);
    dye = corrected(cell_of(dye_forth.cells[walked.index]), dye, dye_back, least_dye, most_dye);
    add_sources(vec3(walked.origin + walked.local) + 0.5, velocity, dye);
    velocity_after.cells[walked.index] = stored_cell(velocity);
    StoredCell stored = stored_cell(dye);
    dye_after.cells[walked.index] = stored;
    note_dye(round_, cell_of(stored), params.least_dye);
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell(0u);
    find_emitters(walked.origin, kBrick);
    find_near_bricks(true, kKept != 0u);
    [[dont_unroll]] for (uint round_ = 0u; round_ < 4u; ++round_) {
        WalkedCell own = walked_later(walked, round_);
        if (own.exists) correct(own, round_);
        else note_dye(round_, vec4(0.0), params.least_dye);
    }
    sum_up(walked);
}
