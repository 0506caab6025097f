#version 460
#extension GL_EXT_control_flow_attributes : require
// Velocity and dye of smoke in bricks, looked up where the fluid came from. FINISH: no correction
// follows. HALF: on cells of 16 bits.
//! variants HALF=0,1 FINISH=0,1

layout(local_size_x = 64) in;
layout(constant_id = 3) const uint kKept = 1u; // 0: fields before have all active bricks

#include "cells.glsl"
#include "sparse_corners.glsl"
#if FINISH
#include "sparse_sources.glsl"
#else
uniform Params { float dt; } params; // time units
#endif

readonly buffer VelocityBefore { StoredCell cells[]; } velocity_before;
readonly buffer DyeBefore { StoredCell cells[]; } dye_before;
writeonly buffer VelocityAfter { StoredCell cells[]; } velocity_after;
writeonly buffer DyeAfter { StoredCell cells[]; } dye_after;

bool has_before(WalkedCell walked) {
    return kKept == 0u || is_kept(walked.word);
}
vec3 speed_before(WalkedCell walked) {
    bool there = walked.exists && has_before(walked);
    return there ? cell_of(velocity_before.cells[walked.index]).xyz : vec3(0.0);
}

// Of velocity and dye at the corners around a place.
struct Around {
    StoredCell velocities[8], dyes[8];
    vec3 share;
};
Around around(WalkedCell walked, vec3 off) {
    Around result;
    CornerRows rows = rows_around(walked, off, kKept != 0u);
    if (rows.all) {
        for (int i = 0; i < 8; ++i) {
            uint at = place_in_rows(rows, i);
            result.velocities[i] = velocity_before.cells[at];
            result.dyes[i] = dye_before.cells[at];
        }
        if (!rows.there[0] || !rows.there[1]) {
            for (int i = 0; i < 8; ++i)
                if (!rows.there[i & 1]) result.velocities[i] = result.dyes[i] = StoredCell(0);
        }
        result.share = rows.share;
        return result;
    }
    Corners corners = corners_apart(walked, off, kKept != 0u);
    for (int i = 0; i < 8; ++i) {
        uint at = corners.at[i];
        bool there = at != kNoBrick;
        result.velocities[i] = there ? velocity_before.cells[at] : StoredCell(0);
        result.dyes[i] = there ? dye_before.cells[at] : StoredCell(0);
    }
    result.share = corners.share;
    return result;
}

void advect(WalkedCell walked, uint round_, vec3 speed) {
    // All are on their way before any is blended.
    Around found = around(walked, -params.dt * speed);
    vec4 corners[8];
    for (int i = 0; i < 8; ++i)
        corners[i] = cell_of(found.velocities[i]);
    vec4 velocity = blended(corners, found.share);
    for (int i = 0; i < 8; ++i)
        corners[i] = cell_of(found.dyes[i]);
    vec4 dye = blended(corners, found.share);
#if FINISH
    add_sources(vec3(walked.origin + walked.local) + 0.5, velocity, dye);
#endif
    velocity_after.cells[walked.index] = stored_cell(velocity);
    StoredCell stored = stored_cell(dye);
    dye_after.cells[walked.index] = stored;
#if FINISH
    note_dye(round_, cell_of(stored), params.least_dye);
#endif
}

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell(0u);
#if FINISH
    find_emitters(walked.origin, kBrick);
#endif
    WalkedCell next = walked;
    vec3 next_speed = speed_before(next);
    find_near_bricks(kKept == 0u, kKept != 0u);
    [[dont_unroll]] for (uint round_ = 0u; round_ < 4u; ++round_) {
        WalkedCell own = next;
        vec3 speed = next_speed;
        if (round_ < 3u) {
            next = walked_later(walked, round_ + 1u);
            next_speed = speed_before(next);
        }
        if (own.exists) advect(own, round_, speed);
#if FINISH
        else note_dye(round_, vec4(0.0), params.least_dye);
#endif
    }
#if FINISH
    sum_up(walked);
#endif
}
