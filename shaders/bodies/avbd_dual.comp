#version 460
// Contacts and joints keep the forces that they have come to, and become stiffer where they do not hold.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Shifts { vec4 values[]; } shifts;
buffer Forces { vec4 values[]; } forces;
buffer Stiffnesses { vec4 values[]; } stiffnesses;

uniform Params {
    uint all_cells;
    uint stride;
    float inverse_dt;
    float correction; // share of a joint's gap that a step mends
    float growth; // of stiffness, for a metre, as a share of the first
    float most;   // times the first
} params;

#include "avbd.glsl"

#define AVBD_STEPS
#include "avbd_joint.glsl"

vec3 stiffened(vec3 stiffness, float first, vec3 by) {
    vec3 stiffer = min(stiffness + params.growth * first * abs(by), vec3(params.most * first));
    return mix(stiffer, stiffness, equal(stiffness, vec3(0.0))); // a row that is not there
}

void settle_joint(uint s, uvec2 bodies) {
    Link link = link_at(s, bodies);
    vec4 first = stiffnesses.values[3u * params.stride + s];
    vec3 shaft = stiffened(link.shaft_stiffness, first.z, link.shaft);
    if (abs(link.shaft_force.x) >= link.strongest) shaft.x = link.shaft_stiffness.x;
    if (link.shaft_force.y >= 0.0) shaft.y = link.shaft_stiffness.y;
    if (link.shaft_force.z >= 0.0) shaft.z = link.shaft_stiffness.z;
    uint second = params.stride + s;
    uint third = 2u * params.stride + s;
    forces.values[s] = vec4(link.force, link.shaft_force.x);
    forces.values[second] = vec4(link.torque, link.shaft_force.y);
    forces.values[third] = vec4(link.shaft_force.z, 0.0, 0.0, 0.0);
    stiffnesses.values[s] = vec4(stiffened(link.stiffness, first.x, link.apart), shaft.x);
    stiffnesses.values[second] = vec4(stiffened(link.turn_stiffness, first.y, link.turned), shaft.y);
    stiffnesses.values[third] = vec4(shaft.z, 0.0, 0.0, 0.0);
}

void main() {
    uint s = invocation_index();
    if (s >= tally.words[1] || keys.values[s] >= params.all_cells) return;
    uvec4 head = heads.values[s];
    if ((head.w & kIsJoint) != 0u) {
        settle_joint(s, head.xy);
        return;
    }
    for (uint k = 0u; k < head.w; ++k) {
        uint at = k * params.stride + s;
        Touch t = touch_at(s, head.xy, k);
        vec3 first = rows.values[(6u + k) * params.stride + s].xyz * params.inverse_dt * params.inverse_dt;
        bool slides = length(t.force.yz) >= 0.999 * avbd_row(0u, s).w * -t.force.x;
        vec3 stiffer = min(t.stiffness + params.growth * first * abs(t.by), params.most * first);
        if (t.force.x >= 0.0) stiffer = t.stiffness;
        if (slides) stiffer.yz = t.stiffness.yz;
        forces.values[at] = vec4(t.force, 0.0);
        stiffnesses.values[at] = vec4(stiffer, 0.0);
    }
}
