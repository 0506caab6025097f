#version 460
// All short steps of soft contacts in one dispatch, for constraints that are in one cell: what
// accelerate.comp, solve.comp and integrate.comp do in turn. A group needs nobody else.

#pragma tuff_exact // the same bits as by those
layout(local_size_x = 64, local_size_x_id = 0) in;

#define SOFT 1
#include "body.glsl"
#include "integrate.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"
#include "status.glsl"

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer CellBatches { uint values[]; } cell_batches;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Shapes { vec4 values[]; } shapes;
buffer Impulses { vec4 values[]; } impulses;
coherent buffer Motions { vec4 values[]; } motions;
coherent buffer Shifts { vec4 values[]; } shifts; // two quads a body: way and turn since the contacts were found
buffer Places { vec4 values[]; } places;
buffer Turns { vec4 values[]; } turns;
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint count; // bodies
    uint substeps;
    float dt;    // of a short step
    vec3 change; // of velocities, in a short step
    float kept;
    uint stride;
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

void wait() {
    groupMemoryBarrier();
    barrier();
}

void accelerate(uint i) {
    if (masses.values[2u * i].w == 0.0) return;
    motions.values[2u * i].xyz = (motions.values[2u * i].xyz + params.change) * params.kept;
    motions.values[2u * i + 1u].xyz *= params.kept;
}

void integrate(uint i) {
    if (!(masses.values[2u * i].w > 0.0)) return;
    Moving body = Moving(places.values[i], turns.values[i], motions.values[2u * i], motions.values[2u * i + 1u],
                         vec3(0.0), vec3(0.0), false);
    move_body(body, shapes.values[2u * i].xyz, shapes.values[2u * i + 1u].xyz, params.dt);
    if (body.was_reset) atomicAdd(status.elements[0].reset, 1u);
    places.values[i] = body.place;
    turns.values[i] = body.turn;
    motions.values[2u * i] = body.velocity;
    motions.values[2u * i + 1u] = body.spin;
    shifts.values[2u * i] += vec4(body.shift, 0.0);
    shifts.values[2u * i + 1u] += vec4(body.angle, 0.0);
}

// All constraints once, by batches.
void sweep(uint of_phase) {
    phase = of_phase;
    uvec2 range = ranges.values[0];
    uint batches = cell_batches.values[0];
    uint s = range.x + gl_LocalInvocationID.x;
    for (uint batch = 0u; batch < batches; ++batch) {
        while (s < range.y) {
            uvec4 head = heads.values[s];
            if (head.z != batch) break;
            apply(s, head);
            s += gl_WorkGroupSize.x;
        }
        wait();
    }
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    for (uint turn = 0u; turn < params.substeps; ++turn) {
        for (uint i = lane; i < params.count; i += gl_WorkGroupSize.x)
            accelerate(i);
        wait();
        for (uint k = 0u; k < 2u; ++k)
            sweep(k == 0u ? kWarm : kSolve);
        for (uint i = lane; i < params.count; i += gl_WorkGroupSize.x)
            integrate(i);
        wait();
        sweep(kRelax);
    }
    sweep(kBounce);
}
