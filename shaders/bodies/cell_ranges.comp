#version 460
// Where the constraints of each cell begin and end among the sorted ones.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
buffer Ranges { uvec2 values[]; } ranges;     // zero where a cell is empty

void main() {
    uint i = invocation_index();
    uint count = tally.words[1];
    if (i >= count) return;
    uint cell = keys.values[i];
    if (i == 0u || keys.values[i - 1u] != cell) ranges.values[cell].x = i;
    if (i + 1u == count || keys.values[i + 1u] != cell) ranges.values[cell].y = i + 1u;
}
