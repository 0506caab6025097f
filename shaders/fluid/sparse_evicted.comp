#version 460
// Counts the dye of bricks that the step before left and that have lost their slots to others.
// HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;

#include "cells.glsl"
#include "invocation.glsl"
#include "sparse/map.glsl"
#include "sparse_events.glsl"

readonly buffer ListBefore {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} list_before;
readonly buffer DyeBefore { StoredCell cells[]; } dye_before;

shared uint found;
shared uvec2 evicted[256];
shared float sums[256];

// Of the 256 cells that the group adds up at a time.
float mass_of(uint cell, uvec2 entry) {
    if (cell >= kBrickCells) return 0.0;
    if (!is_in_domain(brick_at(entry.x) * kBrick + cell_of_brick(cell))) return 0.0;
    vec4 smoke = abs(cell_of(dye_before.cells[slot_of(entry.y) * kBrickCells + cell]));
    return (smoke.x + smoke.y + smoke.z) * (1.0 / 3.0);
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0u) found = 0u;
    barrier();
    uint i = invocation_index();
    if (i < min(list_before.count, list_before.entries.length())) {
        uvec2 entry = list_before.entries[i];
        if (is_active(entry.y) && !is_active(find_brick(entry.x))) evicted[atomicAdd(found, 1u)] = entry;
    }
    barrier();
    for (uint brick = 0u; brick < found; ++brick) {
        float sum = 0.0;
        for (uint cell = lane; cell < kBrickCells; cell += 256u)
            sum += mass_of(cell, evicted[brick]);
        sums[lane] = sum;
        // In one order, whatever the subgroups.
        for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {
            barrier();
            if (lane < half_) sums[lane] += sums[lane + half_];
        }
        if (lane == 0u) {
            uint units = uint(clamp(sums[0], 0.0, 262143.0) * 16384.0);
            uint before = atomicAdd(status.evicted[0], units);
            if (before + units < before) atomicAdd(status.evicted[1], 1u);
        }
        barrier();
    }
}
