#version 460
// A number for each body: one more than the set of a cell that it touches something in, or than the last
// batch that has it. 0: it touches nothing.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "sets.glsl"

readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Ordered { uint values[]; } ordered;
readonly buffer OrderedBatches { uint values[]; } ordered_batches;
readonly buffer Ends { uvec2 values[]; } ends;
readonly buffer Tally { uint words[]; } tally;
buffer Tints { uint values[]; } tints;

uniform Params {
    uvec3 cells;
    uint by_set;
} params;

const uint kFixed = 0x80000000u;

void main() {
    uint s = invocation_index();
    if (s >= tally.words[1]) return;
    uint cell = keys.values[s];
    if (cell >= params.cells.x * params.cells.y * params.cells.z) return;
    uint tint = params.by_set != 0u ? set_of(cell_at(cell, params.cells), params.cells) : ordered_batches.values[s];
    uvec2 both = ends.values[ordered.values[s]];
    if ((both.x & kFixed) == 0u) atomicMax(tints.values[both.x], tint + 1u);
    if ((both.y & kFixed) == 0u) atomicMax(tints.values[both.y], tint + 1u);
}
