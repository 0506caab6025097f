#version 460
// How far the last step stretched hair, for the first step of the next execution.

layout(local_size_x = 1) in;

#include "clock.glsl"

readonly buffer Probe { uint values[]; } probe;
writeonly buffer Kept { uint value; } kept;

void main() {
    kept.value = probe.values[clock_steps()];
}
