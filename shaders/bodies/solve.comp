#version 460
//! variants SOFT=0,1
// Solves the constraints of a set's cells, or those of one batch of all: a group takes a cell and goes
// through its batches, so it needs nobody else. Cells of a set share no body that they move.

#if SOFT
#pragma tuff_exact // as in soft_together.comp
#endif

layout(local_size_x = 64, local_size_x_id = 0) in;

#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"
#include "sets.glsl"

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
#if SOFT
readonly buffer Shifts { vec4 values[]; } shifts; // two quads a body: way and turn since the contacts were found
#endif
buffer Impulses { vec4 values[]; } impulses;
coherent buffer Motions { vec4 values[]; } motions;

uniform Params {
    uvec3 cells;
    uint set;
    uint stride;
    uint iterations;
    uint phase;
    float inverse_dt;
    float correction;
    float slop;
    float fastest_push;
    float threshold;
    float soft_rate;
    float soft_mass;
    float soft_impulse;
} params;

#include "solver.glsl"

#include "apply.glsl"

void main() {
    phase = params.phase;
    uvec3 cell = cell_of_group(group_index(), params.set, params.cells);
    if (any(greaterThanEqual(cell, params.cells))) return;
    uint index = cell_index(cell, params.cells);
    uvec2 range = ranges.values[index];
    uint batches = cell_batches.values[index];
    for (uint turn = 0u; turn < params.iterations; ++turn) {
        uint s = range.x + gl_LocalInvocationID.x;
        for (uint batch = 0u; batch < batches; ++batch) {
            while (s < range.y) {
                uvec4 head = heads.values[s];
                if (head.z != batch) break;
                apply(s, head);
                s += gl_WorkGroupSize.x;
            }
            groupMemoryBarrier(); // nobody else reads them before the next dispatch
            barrier();
        }
    }
}
