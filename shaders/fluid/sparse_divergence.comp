#version 460
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

vec3 velocity_at(uint at) {
    return at == kNoBrick ? vec3(0.0) : cell_of(velocity.cells[at]).xyz;
}

struct Change {
    vec4 whirl;
    float divergence;
};

// Beyond a wall is the fluid before it, and what flows there turns round.
float gained(int cell, int last, float high, float low) {
    precise float change = (cell == last ? -high : high) - (cell == 0 ? -low : low);
    return change;
}
vec3 slope(vec3 high, vec3 low) {
    precise vec3 change = high - low;
    return 0.5 * change;
}

Change change_of(uint round_, Sides sides) {
    WalkedCell walked = walked_cell(round_);
    if (!walked.exists) return Change(vec4(0.0), 0.0);
    Beside at = cells_beside(walked, sides);
    vec3 low_x = velocity_at(at.low_x), high_x = velocity_at(at.high_x);
    vec3 low_y = velocity_at(at.low_y), high_y = velocity_at(at.high_y);
    vec3 low_z = velocity_at(at.low_z), high_z = velocity_at(at.high_z);
    ivec3 cell = walked.origin + walked.local;
    Change change;
    precise float sum = 0.5 * (gained(cell.x, kLastCell.x, high_x.x, low_x.x) +
                               gained(cell.y, kLastCell.y, high_y.y, low_y.y) +
                               gained(cell.z, kLastCell.z, high_z.z, low_z.z));
    change.divergence = sum;
    change.whirl = vec4(0.0);
#if CURL
    vec3 x = slope(high_x, low_x), y = slope(high_y, low_y), z = slope(high_z, low_z);
    precise vec3 whirl = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
    precise float size = sqrt(whirl.x * whirl.x + whirl.y * whirl.y + whirl.z * whirl.z);
    change.whirl = vec4(whirl, size);
#endif
    return change;
}

void store(uint round_, Change change) {
    WalkedCell walked = walked_cell(round_);
    if (!walked.exists) return;
    divergence.cells[walked.index] = change.divergence;
#if CURL
    curl.cells[walked.index] = stored_cell(change.whirl);
#endif
}

void main() {
    if (!group_has_brick()) return;
    Sides sides = sides_of(walked_cell(0u), false);
    // No loop: one that tools unroll may lose what `precise` says.
    Change a = change_of(0u, sides), b = change_of(1u, sides);
    Change c = change_of(2u, sides), d = change_of(3u, sides);
    store(0u, a);
    store(1u, b);
    store(2u, c);
    store(3u, d);
}
