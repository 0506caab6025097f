#version 460
// A level of the search: pairs whose boxes meet become two pairs, or candidates. In any order.

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

#include "candidates.glsl"
writeonly buffer NextItems { uvec2 values[]; } next_items;
buffer NextCount { uint value; } next_count;

void main() {
    uint i = invocation_index();
    if (i >= min(item_count.value, params.frontier_room)) return;
    uvec2 item = items.values[i];
    bool opens_a;
    uint verdict = judged(item, opens_a);
    if (verdict == kLeaves) add_candidate(item.x & ~kLeafBit, item.y & ~kLeafBit, params.room);
    if (verdict != kOpened) return;
    uvec4 both = opened(item, opens_a);
    uint place = atomicAdd(next_count.value, 2u);
    if (place + 2u > params.frontier_room) return;
    next_items.values[place] = both.xy;
    next_items.values[place + 1u] = both.zw;
}
