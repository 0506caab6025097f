#version 460
// How many constraints one batch of a set has, in all cells of the set together: a group each.

layout(local_size_x = 64) in;

#include "sets.glsl"

readonly buffer OrderedBatches { uint values[]; } ordered_batches; // ascending within a cell
readonly buffer Ranges { uvec2 values[]; } ranges;
writeonly buffer Sizes { float values[]; } sizes;

uniform Params {
    uvec3 cells;
    uint set;
    uint set_cells;
} params;

shared uint parts[64];

// The first position of a cell whose batch is at least `batch`.
uint first_of(uvec2 range, uint batch) {
    while (range.x < range.y) {
        uint middle = range.x + (range.y - range.x) / 2u;
        if (ordered_batches.values[middle] < batch)
            range.x = middle + 1u;
        else
            range.y = middle;
    }
    return range.x;
}

void main() {
    uint batch = gl_WorkGroupID.x;
    uint lane = gl_LocalInvocationIndex;
    uint sum = 0u;
    for (uint i = lane; i < params.set_cells; i += 64u) {
        uvec3 cell = cell_of_group(i, params.set, params.cells);
        uvec2 range = ranges.values[cell_index(cell, params.cells)];
        sum += first_of(range, batch + 1u) - first_of(range, batch);
    }
    parts[lane] = sum;
    for (uint half_size = 32u; half_size > 0u; half_size /= 2u) {
        barrier();
        if (lane < half_size) parts[lane] += parts[lane + half_size];
    }
    if (lane == 0u) sizes.values[batch] = float(parts[0]);
}
