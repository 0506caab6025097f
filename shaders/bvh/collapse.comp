#version 460
// Wide nodes of one level of the queue.

layout(local_size_x = 64) in;

uniform Params {
    uint level;
} params;

#include "collapse.glsl"

void main() {
    uint begin = begin_of(params.level);
    uint count = counts.values[params.level];
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride)
        widen(queue.values[begin + i], params.level, begin + count);
}
