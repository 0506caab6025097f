#version 460
// How much dye each brick of smoke has: a group a brick. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;

#include "cells.glsl"
#include "sparse/walk.glsl"
#include "sparse_content.glsl"

readonly buffer Dye { StoredCell cells[]; } dye;
writeonly buffer Content { float sums[]; } content; // by slot

shared float sums[256];

void main() {
    uint group = group_index();
    if (group >= brick_list.count) return;
    uvec2 entry = brick_list.entries[group];
    ivec3 origin = brick_at(entry.x) * kBrick;
    uint lane = gl_LocalInvocationID.x;
    float sum = 0.0;
    for (uint i = lane; i < kBrickCells; i += 256u)
        if (is_in_domain(origin + cell_of_brick(i)))
            sum += content_of(cell_of(dye.cells[slot_of(entry.y) * kBrickCells + i]));
    sums[lane] = sum;
    // In one order, whatever the subgroups.
    for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {
        barrier();
        if (lane < half_) sums[lane] += sums[lane + half_];
    }
    if (lane == 0u) content.sums[slot_of(entry.y)] = sums[0];
}
