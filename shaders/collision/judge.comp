#version 460
// A level of the search whose order is kept: says of each pair what becomes of it.

layout(local_size_x = 64) in;

#include "bvh/bvh.glsl"
#include "box.glsl"
#include "frame.glsl"
#include "invocation.glsl"
#include "items.glsl"

uniform Params {
    uint frontier_room; // for items
} params;

writeonly buffer Verdicts { uint values[]; } verdicts; // and 4, where the first is opened

void main() {
    uint i = invocation_index();
    if (i >= min(item_count.value, params.frontier_room)) return;
    bool opens_a;
    uint verdict = judged(items.values[i], opens_a);
    verdicts.values[i] = verdict | (opens_a ? 4u : 0u);
}
