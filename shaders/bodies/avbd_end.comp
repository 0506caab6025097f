#version 460
//! variants WHAT=0,1
// Velocities from how far bodies have gone (0), and impulses from forces (1).

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"
#include "status.glsl"

#if WHAT == 0
readonly buffer Shifts { vec4 values[]; } shifts;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Colors { uint values[]; } colors;
buffer Motions { vec4 values[]; } motions;
buffer Status { BodiesStatus elements[]; } status;
#else
readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Forces { vec4 values[]; } forces;
buffer Impulses { vec4 values[]; } impulses;
#endif

uniform Params {
    uint count;
    uint stride;
    uint all_cells;
    float dt;
    uint colored; // bodies' colors are below
} params;

#if WHAT == 1
vec4 avbd_row(uint k, uint s) {
    return rows.values[k * params.stride + s];
}

#include "avbd_joint.glsl"

void keep_joint(uint s) {
    Link link = link_frame(s);
    vec4 f0 = forces.values[s];
    vec4 f1 = forces.values[params.stride + s];
    impulses.values[s] = -params.dt * vec4(from_axes(link, f0.xyz), f0.w);
    impulses.values[params.stride + s] = -params.dt * vec4(from_axes(link, f1.xyz), f1.w);
    impulses.values[2u * params.stride + s] = -params.dt * forces.values[2u * params.stride + s];
}
#endif

void main() {
    uint i = invocation_index();
#if WHAT == 0
    if (i >= params.count || masses.values[2u * i].w <= 0.0 || params.dt <= 0.0) return;
    if (colors.values[i] >= params.colored) atomicAdd(status.elements[0].uncolored, 1u);
    motions.values[2u * i].xyz = shifts.values[2u * i].xyz / params.dt;
    motions.values[2u * i + 1u].xyz = shifts.values[2u * i + 1u].xyz / params.dt;
#else
    if (i >= tally.words[1] || keys.values[i] >= params.all_cells) return;
    uint points = heads.values[i].w;
    if ((points & kIsJoint) != 0u) {
        keep_joint(i);
        return;
    }
    for (uint k = 0u; k < points; ++k)
        impulses.values[k * params.stride + i].xyz = -params.dt * forces.values[k * params.stride + i].xyz;
#endif
}
