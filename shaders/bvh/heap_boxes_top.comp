#version 460
// The boxes of the first levels of a heap, by one group.

layout(local_size_x = 256) in;

uniform Params {
    uint levels; // at most 9
} params;

#include "heap_box.glsl"

void main() {
    begin_counts();
    for (uint level = params.levels; level-- > 0u;) {
        if (gl_LocalInvocationIndex < 1u << level)
            count_node(make_box((1u << level) + gl_LocalInvocationIndex));
        memoryBarrierBuffer();
        barrier();
    }
    end_counts();
    if (gl_LocalInvocationIndex == 0u) {
        HeapBox all = box_of(kHeapRoot);
        for (uint axis = 0u; axis < 3u; ++axis) {
            bvh_status.elements[0].low[axis] = all.low[axis];
            bvh_status.elements[0].high[axis] = all.high[axis];
        }
    }
}
