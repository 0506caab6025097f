#version 460
// Where the particles of each cell begin and end among the sorted ones, and these in order, so that
// neighbours are read from neighbouring places.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "invocation.glsl"

readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Order { uint values[]; } order;
readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
writeonly buffer SortedPositions { vec4 values[]; } sorted_positions;
writeonly buffer SortedVelocities { vec4 values[]; } sorted_velocities;
buffer Ranges { uvec2 values[]; } ranges; // zero where a cell is empty

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    uint count = particle_count(params.count);
    if (i >= count) return;
    uint cell = keys.values[i];
    if (i == 0u || keys.values[i - 1u] != cell) ranges.values[cell].x = i;
    if (i + 1u == count || keys.values[i + 1u] != cell) ranges.values[cell].y = i + 1u;
    uint particle = order.values[i];
    sorted_positions.values[i] = positions.values[particle];
    sorted_velocities.values[i] = velocities.values[particle];
}
