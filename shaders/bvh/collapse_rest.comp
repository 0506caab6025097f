#version 460
// Wide nodes of all levels that are left, by one group: there are such in very uneven trees only.

layout(local_size_x = 64) in;

uniform Params {
    uint level;  // the first one
    uint levels; // there are no more
} params;

#include "collapse.glsl"

void main() {
    uint begin = begin_of(params.level);
    for (uint level = params.level; level < params.levels; ++level) {
        uint count = counts.values[level];
        if (count == 0u) return;
        for (uint i = gl_LocalInvocationIndex; i < count; i += gl_WorkGroupSize.x)
            widen(queue.values[begin + i], level, begin + count);
        begin += count;
        memoryBarrierBuffer();
        barrier();
    }
}
