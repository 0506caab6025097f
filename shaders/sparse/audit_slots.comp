#version 460
// Finds listed bricks that the map or the neighbours do not know, and slots that are given twice.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/map.glsl"

uniform Params { uint capacity; } params;

readonly buffer BrickList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} brick_list;
readonly buffer BrickNeighbors { uint words[]; } brick_neighbors; // 27 slot words a slot
buffer Owners { uint counts[]; } owners; // how many bricks have a slot
buffer Counts { // AuditCounts in passes/sparse/audit.cpp
    uint broken;
    uint active_places;
    uint used_places;
} counts;

void main() {
    uint i = invocation_index();
    if (i == 0u && brick_list.count > params.capacity) atomicAdd(counts.broken, 1u);
    if (i >= min(brick_list.count, params.capacity)) return;
    uvec2 entry = brick_list.entries[i];
    uint slot = slot_of(entry.y);
    bool sound = is_active(entry.y) && slot < params.capacity;
    if (sound) sound = find_brick(entry.x) == entry.y && brick_neighbors.words[27u * slot + 13u] == entry.y;
    if (sound) sound = atomicAdd(owners.counts[slot], 1u) == 0u;
    if (!sound) atomicAdd(counts.broken, 1u);
}
