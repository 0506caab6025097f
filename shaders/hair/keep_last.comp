#version 460
// Keeps where hair is before the last step of an execution.

layout(local_size_x = 256) in;

#include "clock.glsl"
#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
buffer Last { vec4 values[]; } last;

uniform Params {
    uint count; // vertices of all strands
    uint step;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count || params.step + 1u != clock_steps()) return;
    last.values[at] = positions.values[at];
}
