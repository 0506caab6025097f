#version 460
// What is in the bricks before a step: in the first one what was given, then what the step before
// left, and in new bricks nothing. Cells with what is not finite are empty, too. HALF: on cells of 16 bits.
// PRESSURE: also the pressure.
//! variants HALF=0,1 PRESSURE=0,1

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint has_initial_velocity = 0u;
layout(constant_id = 2) const uint has_initial_dye = 0u;

#include "cells.glsl"
#include "finite.glsl"
#include "sparse_events.glsl"
#include "sparse/walk.glsl"

uniform Params { uint reset; } params;

readonly buffer Age { uint words[]; } age;
readonly buffer InitialVelocity { vec4 cells[]; } initial_velocity;
readonly buffer InitialDye { vec4 cells[]; } initial_dye;
readonly buffer VelocityBefore { StoredCell cells[]; } velocity_before;
readonly buffer DyeBefore { StoredCell cells[]; } dye_before;
writeonly buffer VelocityBegun { StoredCell cells[]; } velocity_begun;
writeonly buffer DyeBegun { StoredCell cells[]; } dye_begun;
#if PRESSURE
readonly buffer PressureBefore { float cells[]; } pressure_before;
writeonly buffer PressureBegun { float cells[]; } pressure_begun;
#endif

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    vec4 velocity = vec4(0.0);
    vec4 dye = vec4(0.0);
    if (age.words[0] == 0u || params.reset != 0u) {
        ivec3 cell = walked.origin + walked.local;
        uint at = uint((cell.z * kDomainY + cell.y) * kDomainX + cell.x);
        if (has_initial_velocity != 0u) velocity = vec4(initial_velocity.cells[at].xyz, 0.0);
        if (has_initial_dye != 0u) dye = initial_dye.cells[at];
    } else if (is_kept(walked.word)) {
        velocity = cell_of(velocity_before.cells[walked.index]);
        dye = cell_of(dye_before.cells[walked.index]);
    }
    bool moves = is_finite(velocity), smokes = is_finite(dye);
    if (!moves) velocity = vec4(0.0);
    if (!smokes) dye = vec4(0.0);
    if (!moves || !smokes) atomicAdd(status.not_finite, 1u);
    hold_state(velocity, dye);
    velocity_begun.cells[walked.index] = stored_cell(velocity);
    dye_begun.cells[walked.index] = stored_cell(dye);
#if PRESSURE
    pressure_begun.cells[walked.index] =
        is_kept(walked.word) ? pressure_before.cells[walked.index] : 0.0;
#endif
}
