#version 460
// Moves what executions before have found one place to the left, and adds what this one has.

layout(local_size_x = 256) in;

uniform Params {
    uint kept;  // of each number
    uint count; // numbers times kept
} params;

#include "invocation.glsl"

readonly buffer Numbers { float values[]; } numbers;
readonly buffer Before { float values[]; } before; // an array for each number, oldest first
writeonly buffer After { float values[]; } after;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    bool last = i % params.kept == params.kept - 1u;
    after.values[i] = last ? numbers.values[i / params.kept] : before.values[i + 1u];
}
