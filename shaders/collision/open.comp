#version 460
// Writes the pairs that follow from those of a level, in their order.

layout(local_size_x = 64) in;

#include "bvh/bvh.glsl"
#include "box.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "status.glsl"
#include "items.glsl"

uniform Params {
    uint room;          // for candidates
    uint frontier_room; // for items
} params;

readonly buffer Verdicts { uint values[]; } verdicts;
readonly buffer Opened { uint values[]; } opened_items; // numbers of items
readonly buffer OpenedCount { uint value; } opened_count;
readonly buffer Found { uint values[]; } found; // numbers of items that are pairs of leaves
readonly buffer FoundCount { uint value; } found_count;
readonly buffer CollisionStatus { SearchStatus elements[]; } collision_status;
writeonly buffer Candidates { uvec2 values[]; } candidates;
writeonly buffer NextItems { uvec2 values[]; } next_items;

void main() {
    uint i = invocation_index();
    if (i < found_count.value) {
        uint place = collision_status.elements[0].candidates + i;
        if (place < params.room)
            candidates.values[place] = items.values[found.values[i]] & ~kLeafBit;
    }
    if (i >= opened_count.value || 2u * i + 2u > params.frontier_room) return;
    uint from = opened_items.values[i];
    uvec4 both = opened(items.values[from], (verdicts.values[from] & 4u) != 0u);
    next_items.values[2u * i] = both.xy;
    next_items.values[2u * i + 1u] = both.zw;
}
