#version 460
// One round of a grassfire by tiles: each tile whose surroundings changed in the round before lets
// distances spread within itself until nothing changes, in shared memory. Distances only become
// less, and where no tile changes any more they are the least: it does not matter in which order
// they spread.
//
// A tile that did not change in a round is the same in both fields: either it was written, or it was
// so before. So it needs no copy.

layout(local_size_x = 32, local_size_y = 8) in;

#include "done.glsl"
#include "grassfire.glsl"

uniform usampler2D before;
uniform writeonly uimage2D after;
readonly buffer ChangedBefore { uint flags[]; } changed_before;  // by tile
writeonly buffer ChangedAfter { uint flags[]; } changed_after;
buffer Done { uint words[]; } done; // of this round: 0 where a tile changes

uniform Params {
    uint eight;
    uint border;
    uint unreached; // 2^31 - 1: sums with it do not wrap
    uint pass;      // from 0
    uint changes;   // 0: it only looks
} params;

const int kTile = 32;
const int kStrip = 4; // texels of an invocation, one above the other
const int kPitch = kTile + 2;

shared uint distances[kPitch * kPitch]; // of the tile and the texels around it
shared uint active_neighbours;
shared uint last_change; // iteration

int place_of(ivec2 local) {
    return (local.y + 1) * kPitch + local.x + 1;
}

uint value_at(ivec2 texel) {
    ivec2 size = textureSize(before, 0);
    // Beyond the edge of a tile that the picture cuts off; it does not spread from there.
    ivec2 beyond = texel - size;
    if (any(greaterThan(beyond, ivec2(0)))) return params.unreached;
    if (!has_texel(texel, size, params.border))
        return outside_value(params.border, params.unreached);
    return texelFetch(before, wrapped(texel, size), 0).r;
}

bool is_active(ivec2 tile) {
    ivec2 tiles = ivec2(gl_NumWorkGroups.xy);
    int i = int(gl_LocalInvocationIndex);
    if (i == 0) {
        active_neighbours = 0u;
        last_change = 0u;
    }
    barrier();
    if (i < 9) {
        ivec2 at = tile + ivec2(i % 3, i / 3) - 1;
        bool exists = has_texel(at, tiles, params.border);
        ivec2 other = wrapped(at, tiles);
        if (exists && changed_before.flags[other.y * tiles.x + other.x] != 0u)
            atomicOr(active_neighbours, 1u);
    }
    barrier();
    return active_neighbours != 0u;
}

void load(ivec2 corner) {
    for (int i = int(gl_LocalInvocationIndex); i < kPitch * kPitch; i += kTile * 8)
        distances[i] = value_at(corner + ivec2(i % kPitch, i / kPitch) - 1);
    barrier();
}

// The least of the neighbours' distances; those outside the tile stay as they are.
uint least_beside(ivec2 local) {
    uint least = params.unreached;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            if (params.eight != 0u || x == 0 || y == 0)
                least = min(least, distances[place_of(local + ivec2(x, y))]);
    return least;
}

// Until nothing changes. The texels of an invocation are read by all before any of them is written.
void spread(ivec2 first, bvec4 exists) {
    uint iteration = 0u;
    bool more = true;
    while (more) {
        iteration += 1u;
        uvec4 own;
        for (int k = 0; k < kStrip; ++k) {
            ivec2 local = first + ivec2(0, k);
            own[k] = distances[place_of(local)];
            if (exists[k]) own[k] = min(own[k], least_beside(local) + 1u);
        }
        for (int k = 1; k < kStrip; ++k)
            if (exists[k]) own[k] = min(own[k], own[k - 1] + 1u);
        for (int k = kStrip - 2; k >= 0; --k)
            if (exists[k + 1]) own[k] = min(own[k], own[k + 1] + 1u);
        barrier();
        bool changed = false;
        for (int k = 0; k < kStrip; ++k) {
            int place = place_of(first + ivec2(0, k));
            changed = changed || distances[place] != own[k];
            distances[place] = own[k];
        }
        if (changed) last_change = iteration;
        barrier();
        more = last_change == iteration;
    }
}

void main() {
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    uint index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (!is_active(tile)) {
        if (gl_LocalInvocationIndex == 0u) changed_after.flags[index] = 0u;
        return;
    }
    ivec2 size = textureSize(before, 0);
    ivec2 corner = tile * kTile;
    load(corner);
    ivec2 first = ivec2(gl_LocalInvocationID.x, int(gl_LocalInvocationID.y) * kStrip);
    bvec4 exists;
    uvec4 old;
    for (int k = 0; k < kStrip; ++k) {
        exists[k] = all(lessThan(corner + first + ivec2(0, k), size));
        old[k] = distances[place_of(first + ivec2(0, k))];
    }
    spread(first, exists);

    for (int k = 0; k < kStrip; ++k) {
        if (!exists[k]) continue;
        ivec2 local = first + ivec2(0, k);
        uint value = params.changes != 0u ? distances[place_of(local)] : old[k];
        imageStore(after, corner + local, uvec4(value));
    }
    if (gl_LocalInvocationIndex != 0u) return;
    bool changed = last_change > 0u;
    changed_after.flags[index] = changed ? 1u : 0u;
    if (changed) atomicAnd(done.words[done_word(params.pass)], 0u);
}
