#version 460
// Forces and stiffness that the contacts and joints of a step begin with.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Keys { uint values[]; } keys; // sorted
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Impulses { vec4 values[]; } impulses;
writeonly buffer Forces { vec4 values[]; } forces;
writeonly buffer Stiffnesses { vec4 values[]; } stiffnesses;

uniform Params {
    uint all_cells;
    uint stride;
    float inverse_dt;
} params;

vec4 avbd_row(uint k, uint s) {
    return rows.values[k * params.stride + s];
}

#include "avbd_joint.glsl"

float inverse_or_0(float v) {
    return v > 0.0 ? 1.0 / v : 0.0;
}

// For both bodies: what a push through `r` meets, the mean of three axes, and a twist.
vec2 give_of(uint body, vec3 r) {
    Mass mass = Mass(masses.values[2u * body], masses.values[2u * body + 1u]);
    vec2 give = vec2(mass.first.w, 0.0);
    for (int axis = 0; axis < 3; ++axis) {
        vec3 e = vec3(0.0);
        e[axis] = 1.0;
        vec3 turn = cross(r, e);
        give += vec2(dot(turn, inverse_inertia(mass, turn)), dot(e, inverse_inertia(mass, e))) / 3.0;
    }
    return give;
}

void begin_joint(uint s, uvec2 bodies) {
    Link link = link_frame(s);
    uint kind = floatBitsToUint(avbd_row(0u, s).w);
    uint parts = kind == kBall ? 0u : floatBitsToUint(avbd_row(1u, s).w);
    vec2 give = give_of(bodies.x, link.ra) + give_of(bodies.y, link.rb);
    float per_step = params.inverse_dt * params.inverse_dt;
    vec2 first = per_step * vec2(inverse_or_0(give.x), inverse_or_0(give.y));
    float shaft = link.turns ? first.y : first.x;
    vec3 holds = kind == kSlider ? vec3(0.0, 1.0, 1.0) : vec3(1.0);
    vec3 holds_turn = kind == kBall ? vec3(0.0) : kind == kHinge ? vec3(0.0, 1.0, 1.0) : vec3(1.0);
    float motor = (parts & kHasMotor) != 0u ? 1.0 : 0.0;
    float limits = (parts & kHasLimits) != 0u ? 1.0 : 0.0;
    vec4 impulse0 = impulses.values[s];
    vec4 impulse1 = impulses.values[params.stride + s];
    float impulse2 = impulses.values[2u * params.stride + s].x;
    uint second = params.stride + s;
    uint third = 2u * params.stride + s;
    forces.values[s] =
        -params.inverse_dt * vec4(holds * along_axes(link, impulse0.xyz), motor * impulse0.w);
    forces.values[second] =
        -params.inverse_dt * vec4(holds_turn * along_axes(link, impulse1.xyz), limits * impulse1.w);
    forces.values[third] = vec4(-params.inverse_dt * limits * impulse2, 0.0, 0.0, 0.0);
    stiffnesses.values[s] = vec4(first.x * holds, motor * shaft);
    stiffnesses.values[second] = vec4(first.y * holds_turn, limits * shaft);
    stiffnesses.values[third] = vec4(limits * shaft, 0.0, 0.0, 0.0);
    stiffnesses.values[3u * params.stride + s] = vec4(first, shaft, 0.0);
}

void main() {
    uint s = invocation_index();
    if (s >= tally.words[1] || keys.values[s] >= params.all_cells) return;
    uvec4 head = heads.values[s];
    if ((head.w & kIsJoint) != 0u) {
        begin_joint(s, head.xy);
        return;
    }
    uint points = head.w;
    for (uint k = 0u; k < points; ++k) {
        uint at = k * params.stride + s;
        forces.values[at] = vec4(-params.inverse_dt * impulses.values[at].xyz, 0.0);
        vec3 mass = rows.values[(6u + k) * params.stride + s].xyz;
        stiffnesses.values[at] = vec4(mass * params.inverse_dt * params.inverse_dt / float(points), 0.0);
    }
}
