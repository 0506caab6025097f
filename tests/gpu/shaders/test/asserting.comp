#version 460
// Adds one, and asserts that this does not pass a limit.
layout(local_size_x = 4) in;

#include "../../../../shaders/include/assert.glsl"

buffer Number { uint value; } number;
uniform Params { uint limit; } params;

void main() {
    if (gl_LocalInvocationIndex == 0) ++number.value;
    memoryBarrierBuffer();
    barrier();
    assert(number.value <= params.limit);
}
