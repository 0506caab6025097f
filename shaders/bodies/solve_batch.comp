#version 460
// Solves one batch of all constraints; the last dispatch, what is beyond, by one group.

layout(local_size_x = 64) in;

#define SOFT 0
#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"

readonly buffer BatchRanges { uvec2 values[]; } batch_ranges;
readonly buffer OrderedBatches { uint values[]; } ordered_batches;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
buffer Impulses { vec4 values[]; } impulses;
coherent buffer Motions { vec4 values[]; } motions;

uniform Params {
    uint batch;
    uint most;
    uint stride;
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
    uvec2 range = batch_ranges.values[params.batch];
    if (params.batch < params.most) {
        uint s = range.x + invocation_index();
        if (s < range.y) apply(s, heads.values[s]);
        return;
    }
    uint s = range.x + gl_LocalInvocationID.x;
    uint begin = range.x;
    while (begin < range.y) {
        uint batch = ordered_batches.values[begin];
        while (s < range.y && ordered_batches.values[s] == batch) {
            apply(s, heads.values[s]);
            s += gl_WorkGroupSize.x;
        }
        while (begin < range.y && ordered_batches.values[begin] == batch)
            ++begin;
        groupMemoryBarrier();
        barrier();
    }
}
