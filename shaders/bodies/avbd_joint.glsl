// Joints in vertex block descent: rows like those of contacts, but most of them hold both ways. Along
// the axes of a link: how far the anchors are apart, and how far the second body is turned; then the
// motor and both limits, along or about the joint's axis. Rows that a kind of joint does not have are
// without stiffness and force.
//
// Of forces and stiffnesses: quad 0 has the anchors' three, and the motor's; 1 the turn's, and the
// lower limit's; 2 the upper limit's; of stiffnesses 3 has the first ones: anchors, turn, shaft.
#ifndef BODIES_AVBD_JOINT
#define BODIES_AVBD_JOINT

#include "joint_kinds.glsl"

struct Link {
    vec3 ra;
    vec3 rb;
    vec3 axes[3];
    bool turns;       // the shaft does
    vec3 apart;
    vec3 turned;
    vec3 shaft;       // motor, lower and upper limit: what each lacks
    float strongest;  // of the motor
    vec3 stiffness;
    vec3 turn_stiffness;
    vec3 shaft_stiffness;
    vec3 force;
    vec3 torque;
    vec3 shaft_force;
    vec3 shaft_pull;  // the same before limits are kept from pulling
};

// Its frame: what does not change in a step.
Link link_frame(uint s) {
    Link link;
    vec4 row0 = avbd_row(0u, s);
    uint kind = floatBitsToUint(row0.w);
    link.turns = kind != kSlider;
    link.ra = row0.xyz;
    link.rb = avbd_row(1u, s).xyz;
    if (kind == kSlider) link.ra += avbd_row(2u, s).xyz; // the push goes through one point of space
    link.axes[0] = kind == kBall ? vec3(1.0, 0.0, 0.0) : avbd_row(3u, s).xyz;
    across(link.axes[0], link.axes[1], link.axes[2]);
    return link;
}

vec3 along_axes(Link link, vec3 v) {
    return vec3(dot(v, link.axes[0]), dot(v, link.axes[1]), dot(v, link.axes[2]));
}
vec3 from_axes(Link link, vec3 v) {
    return v.x * link.axes[0] + v.y * link.axes[1] + v.z * link.axes[2];
}

#ifdef AVBD_STEPS
Link link_at(uint s, uvec2 bodies) {
    Link link = link_frame(s);
    vec4 row2 = avbd_row(2u, s);
    vec4 row4 = avbd_row(4u, s);
    vec4 limits = avbd_row(5u, s);
    vec3 shift = gone(bodies.y, link.rb) - gone(bodies.x, link.ra);
    vec3 turn = turn_gone(bodies.y) - turn_gone(bodies.x);
    link.apart = along_axes(link, params.correction * row2.xyz + shift);
    link.turned = along_axes(link, params.correction * row4.xyz + turn);
    float way = dot(link.turns ? turn : shift, link.axes[0]);
    vec2 room = vec2(row2.w - limits.x, limits.y - row2.w);
    room = mix(room, params.correction * room, lessThan(room, vec2(0.0)));
    link.shaft = vec3(way - avbd_row(3u, s).w / params.inverse_dt, room.x + way, room.y - way);
    link.strongest = row4.w * params.inverse_dt;
    vec4 k0 = stiffnesses.values[s];
    vec4 k1 = stiffnesses.values[params.stride + s];
    link.stiffness = k0.xyz;
    link.turn_stiffness = k1.xyz;
    link.shaft_stiffness = vec3(k0.w, k1.w, stiffnesses.values[2u * params.stride + s].x);
    vec4 f0 = forces.values[s];
    vec4 f1 = forces.values[params.stride + s];
    link.force = link.stiffness * link.apart + f0.xyz;
    link.torque = link.turn_stiffness * link.turned + f1.xyz;
    link.shaft_pull = link.shaft_stiffness * link.shaft +
                      vec3(f0.w, f1.w, forces.values[2u * params.stride + s].x);
    link.shaft_pull.x = clamp(link.shaft_pull.x, -link.strongest, link.strongest);
    link.shaft_force = link.shaft_pull;
    link.shaft_force.yz = min(link.shaft_force.yz, 0.0); // limits push only
    return link;
}
#endif
#endif
