#version 460
// Adds one to each element, and notes the highest number that any invocation has.
layout(local_size_x_id = 0) in;

#include "../../../../shaders/include/invocation.glsl"

uniform Params { uint count; } params;
buffer Counts { uint values[]; } counts;
buffer Highest { uint value; } highest;

void main() {
    uint i = invocation_index();
    if (i < params.count)
        atomicAdd(counts.values[i], 1u);
    else
        atomicMax(highest.value, i);
}
