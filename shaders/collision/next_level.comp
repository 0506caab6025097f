#version 460
//! variants ORDERED=0,1
// After a level: counts.

layout(local_size_x = 1) in;

#include "status.glsl"

uniform Params {
    uint frontier_room; // for items
} params;

readonly buffer ItemCount { uint value; } item_count;
buffer CollisionStatus { SearchStatus elements[]; } collision_status;
#if ORDERED
readonly buffer OpenedCount { uint value; } opened_count;
readonly buffer FoundCount { uint value; } found_count;
writeonly buffer NextCount { uint value; } next_count;
#else
readonly buffer NextCount { uint value; } next_count;
#endif

void main() {
#if ORDERED
    uint next = 2u * opened_count.value;
    next_count.value = next;
    collision_status.elements[0].candidates += found_count.value;
#else
    uint next = next_count.value;
#endif
    if (item_count.value > 0u) collision_status.elements[0].levels += 1u;
    collision_status.elements[0].box_tests += min(item_count.value, params.frontier_room);
    collision_status.elements[0].frontier = max(collision_status.elements[0].frontier, next);
}
