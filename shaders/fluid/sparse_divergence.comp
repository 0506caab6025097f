#version 460
// The divergence of smoke in bricks, by differences over two cells. Nothing flows through walls; where
// bricks are not active the velocity is 0. CURL: also the length of the curl. HALF: on cells of 16 bits.
//! variants HALF=0,1 CURL=0,1

layout(local_size_x = 128) in;

#include "cells.glsl"
#define WIDE 0
#define FLOW 1
#include "sparse_columns.glsl"

writeonly buffer Divergence { float cells[]; } divergence;
#if CURL
writeonly buffer Curl { float cells[]; } curl;
#endif

// What sparse_sweeps.comp counts, which is set to 0 before.
layout(constant_id = 5) const uint kClears = 0u;
writeonly buffer Sweeps { uvec4 rows[]; } sweeps;
void clear_sweeps() {
    uint group = group_index();
    if (gl_LocalInvocationID.x > 0u) return;
    if (group == 0u) sweeps.rows[0] = uvec4(0u);
    if (group % kColumnGroups == 0u && column_group_has_brick())
        sweeps.rows[1u + slot_of(brick_list.entries[group / kColumnGroups].y)] = uvec4(0u);
}

struct Change {
    float divergence;
    float curl;
};

// Beyond a wall is the fluid before it, and what flows there turns round.
float gained(int cell, int last, float high, float low) {
    precise float change = (cell == last ? -high : high) - (cell == 0 ? -low : low);
    return change;
}

Change change_of(WalkedCell column, Beside beside, int layer, vec3 below, vec3 above) {
    Flow flow = flow_around(beside, to_layer(column, layer), below, above);
    ivec3 cell = column.origin + column.local + ivec3(0, 0, layer);
    Change change;
    precise float sum = 0.5 * (gained(cell.x, kLastCell.x, flow.high_x.x, flow.low_x.x) +
                               gained(cell.y, kLastCell.y, flow.high_y.y, flow.low_y.y) +
                               gained(cell.z, kLastCell.z, flow.high_z.z, flow.low_z.z));
    change.divergence = sum;
    change.curl = 0.0;
#if CURL
    vec3 whirl = whirl_of(flow);
    precise float size = sqrt(whirl.x * whirl.x + whirl.y * whirl.y + whirl.z * whirl.z);
    change.curl = size;
#endif
    return change;
}

void store(WalkedCell column, int layer, Change change) {
    if (!has_layer(column, layer)) return;
    uint at = column.index + uint(layer) * kLayer;
    divergence.cells[at] = change.divergence;
#if CURL
    curl.cells[at] = change.curl;
#endif
}

void main() {
    if (kClears != 0u) clear_sweeps();
    WalkedCell column = walked_column();
    if (!column.exists) return;
    Sides sides = sides_of(column, false);
    Beside beside = cells_beside(column, sides);
    // No loop: one that tools unroll may lose what `precise` says.
    vec3 below = velocity_at(beside.low_z, 0u);
    vec3 v0 = velocity_at(column.index, 0u);
    vec3 v1 = velocity_at(index_above(column, sides, 0), 0u);
    vec3 v2 = velocity_at(index_above(column, sides, 1), 0u);
    Change first = change_of(column, beside, 0, below, v1);
    Change second = change_of(column, beside, 1, v0, v2);
    store(column, 0, first);
    store(column, 1, second);
}
