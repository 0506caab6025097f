#version 460
// Where the bodies of each cell begin and end among the sorted ones, and their boxes in that order.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Order { uint values[]; } order;
readonly buffer Boxes { vec4 values[]; } boxes;
writeonly buffer SortedBoxes { vec4 values[]; } sorted_boxes;
buffer Ranges { uvec2 values[]; } ranges; // zero where a cell is empty

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    uint cell = keys.values[i];
    if (i == 0u || keys.values[i - 1u] != cell) ranges.values[cell].x = i;
    if (i + 1u == params.count || keys.values[i + 1u] != cell) ranges.values[cell].y = i + 1u;
    uint body = order.values[i];
    sorted_boxes.values[2u * i] = boxes.values[2u * body];
    sorted_boxes.values[2u * i + 1u] = boxes.values[2u * body + 1u];
}
