#version 460
// Keeps the active bricks of a box, in a list and a map of their own.
layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "sparse/map.glsl"

uniform Params {
    uvec3 low;  // bricks
    uvec3 high; // excluded
} params;

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} brick_list;
buffer OwnList {
    uint count;
    uint unused[3];
    uvec2 entries[];
} own_list;
buffer Fresh { uint count; } fresh; // of those in the box, bricks that have a new slot
writeonly buffer OwnMap { uint words[]; } own_map;

void main() {
    uint i = invocation_index();
    if (i >= brick_list.count) return;
    uvec2 entry = brick_list.entries[i];
    uvec3 brick = uvec3(brick_at(entry.x));
    if (all(greaterThanEqual(brick, params.low)) && all(lessThan(brick, params.high))) {
        own_list.entries[atomicAdd(own_list.count, 1u)] = entry;
        if (!is_kept(entry.y)) atomicAdd(fresh.count, 1u);
        return;
    }
    uint place = find_place(entry.x);
    own_map.words[kTableBits == 0u ? place : 2u * place + 1u] = kNoBrick;
}
