#version 460
// Solves each constraint alone, with its share of the bodies' masses (R. Tonge et al., "Mass Splitting for
// Jitter-Free Parallel Rigid Body Simulation", 2012), and writes the change of momentum.

layout(local_size_x = 64) in;

#define SOFT 0
#define SPLIT_MASSES
#include "body.glsl"
#include "invocation.glsl"
#include "joint_kinds.glsl"
#include "rows.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Shares { uint values[]; } shares;
readonly buffer Motions { vec4 values[]; } motions;
buffer Impulses { vec4 values[]; } impulses;
writeonly buffer Pushes { vec4 values[]; } pushes; // change of velocity and spin of both, packed in three quads

uniform Params {
    uint all_cells;
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

Mass split(Mass mass, uint among) {
    return Mass(mass.first * float(among), mass.second * float(among));
}

void main() {
    phase = params.phase;
    uint s = invocation_index();
    if (s >= tally.words[1] || keys.values[s] >= params.all_cells) return;
    uvec4 head = heads.values[s];
    Both body;
    body.a = Velocity(motions.values[2u * head.x], motions.values[2u * head.x + 1u]);
    body.b = Velocity(motions.values[2u * head.y], motions.values[2u * head.y + 1u]);
    float na = float(shares.values[head.x]);
    float nb = float(shares.values[head.y]);
    // Impulses of the step before act on whole masses.
    bool warm = phase == kWarm;
    body.ma = split(mass_at(head.x), warm ? 1u : shares.values[head.x]);
    body.mb = split(mass_at(head.y), warm ? 1u : shares.values[head.y]);
    if (warm) na = nb = 1.0;
    Velocity a = body.a;
    Velocity b = body.b;
    if ((head.w & kIsJoint) != 0u) {
        solve_joint(s, head.xy, body);
    } else {
        solve_contact(s, head.xy, head.w, body);
    }
    // Bodies take the mean of what their parts do.
    vec3 va = (body.a.linear.xyz - a.linear.xyz) / na;
    vec3 wa = (body.a.angular.xyz - a.angular.xyz) / na;
    vec3 vb = (body.b.linear.xyz - b.linear.xyz) / nb;
    vec3 wb = (body.b.angular.xyz - b.angular.xyz) / nb;
    pushes.values[s] = vec4(va, vb.x);
    pushes.values[params.stride + s] = vec4(wa, vb.y);
    pushes.values[2u * params.stride + s] = vec4(wb, vb.z);
}
