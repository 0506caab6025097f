#version 460
//! variants REST=0,1
// Moves the bodies of a colour to where their energy is least while the others stay. With REST those
// beyond the last colour, all at once from the same places: each goes half the way. A constraint has two
// bodies and a convex energy, which at half of both ways is at most the mean of the energies where only
// one of them goes its whole way. So the sum never grows.

layout(local_size_x = 64) in;

#include "body.glsl"
#include "invocation.glsl"
#include "rows.glsl"

readonly buffer Offsets { uvec2 values[]; } offsets;
readonly buffer Incidences { uint values[]; } incidences;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Rows { vec4 values[]; } rows;
readonly buffer Forces { vec4 values[]; } forces;
readonly buffer Stiffnesses { vec4 values[]; } stiffnesses;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Colors { uint values[]; } colors;
readonly buffer Aims { vec4 values[]; } aims;
#if REST
readonly buffer Shifts { vec4 values[]; } shifts;
writeonly buffer Moved { vec4 values[]; } moved;
#else
coherent buffer Shifts { vec4 values[]; } shifts;
#endif

uniform Params {
    uint count;
    uint color;
    uint stride;
    float inverse_dt;
    float correction; // share of a joint's gap that a step mends
} params;

#if REST
#define AVBD_OWN
#endif
#include "avbd.glsl"

#define AVBD_STEPS
#include "avbd_joint.glsl"

// The energy's first and second derivatives: by place, by both (columns by turn), by turn.
struct Slope {
    vec3 g1;
    vec3 g2;
    mat3 h11;
    mat3 h12;
    mat3 h22;
};

// A row that pushes the body along `n` and turns it about `m`.
void add_row(inout Slope slope, vec3 n, vec3 m, float force, float stiffness) {
    slope.h11 += stiffness * outerProduct(n, n);
    slope.h12 += stiffness * outerProduct(n, m);
    slope.h22 += stiffness * outerProduct(m, m);
    slope.g1 += force * n;
    slope.g2 += force * m;
}

void add_joint(inout Slope slope, uint s, uvec2 bodies, float sign) {
    Link link = link_at(s, bodies);
    vec3 r = sign > 0.0 ? link.rb : link.ra;
    for (uint axis = 0u; axis < 3u; ++axis) {
        vec3 n = sign * link.axes[axis];
        add_row(slope, n, cross(r, n), link.force[axis], link.stiffness[axis]);
        add_row(slope, vec3(0.0), n, link.torque[axis], link.turn_stiffness[axis]);
        // The motor always, limits where they push.
        if (axis > 0u && link.shaft_pull[axis] >= 0.0) continue;
        vec3 way = (axis == 2u ? -sign : sign) * link.axes[0];
        add_row(slope, link.turns ? vec3(0.0) : way, link.turns ? way : cross(r, way),
                link.shaft_pull[axis], link.shaft_stiffness[axis]);
    }
}

void add_contact(inout Slope slope, uint s, uvec4 head, float sign) {
    for (uint k = 0u; k < head.w; ++k) {
        Touch t = touch_at(s, head.xy, k);
        if (t.pull >= 0.0) continue;
        vec3 r = sign > 0.0 ? t.rb : t.ra;
        for (uint axis = 0u; axis < 3u; ++axis) {
            vec3 n = sign * t.axes[axis];
            add_row(slope, n, cross(r, n), t.force[axis], t.stiffness[axis]);
        }
    }
}

// Newton's step to where the slope is zero: way and turn.
bool solve_slope(Slope slope, out vec3 way, out vec3 turn) {
    mat3 i11 = inverse(slope.h11);
    mat3 back = transpose(slope.h12);
    mat3 schur = slope.h22 - back * i11 * slope.h12;
    turn = -(inverse(schur) * (slope.g2 - back * (i11 * slope.g1)));
    way = -(i11 * (slope.g1 + slope.h12 * turn));
    return is_finite(way) && is_finite(turn);
}

// The energy is made of parabolas: contacts and limits push on one side only. A step that leaves or enters one
// is wrong by what it did not know of: a free body would fall into the floor in every second iteration. So
// others follow from there. Only rows that push count. If one did that would push later, it would pull one
// of its bodies and not the other, and momentum would not be kept however many iterations there were.
const uint kNewtonSteps = 3u;

#if REST
bool is_turn_of(uint i) {
    return colors.values[i] >= params.color && masses.values[2u * i].w > 0.0;
}
void move_to(uint i, vec3 way, vec3 turn) {
    own_way = way;
    own_turn = turn;
}
#else
bool is_turn_of(uint i) {
    return colors.values[i] == params.color;
}
void move_to(uint i, vec3 way, vec3 turn) {
    shifts.values[2u * i].xyz = way;
    shifts.values[2u * i + 1u].xyz = turn;
}
#endif

void descend(uint i) {
    float per_step = params.inverse_dt * params.inverse_dt;
    vec4 inertia1 = masses.values[2u * i];
    vec4 inertia2 = masses.values[2u * i + 1u];
    mat3 inverse_tensor = mat3(inertia1.x, inertia2.x, inertia2.y, inertia2.x, inertia1.y, inertia2.z,
                               inertia2.y, inertia2.z, inertia1.z);
    mat3 tensor = inverse(inverse_tensor);
    float mass = per_step / inertia1.w;
    uvec2 range = offsets.values[i];
    for (uint newton = 0u; newton < kNewtonSteps; ++newton) {
        vec3 way = way_gone(i);
        vec3 turn = turn_gone(i);
        Slope slope = Slope(mass * (way - aims.values[2u * i].xyz),
                            per_step * (tensor * (turn - aims.values[2u * i + 1u].xyz)), mat3(mass), mat3(0.0),
                            tensor * per_step);
        for (uint q = range.x; q < range.y; ++q) {
            uint s = incidences.values[q] / 2u;
            float sign = (incidences.values[q] & 1u) != 0u ? 1.0 : -1.0; // of the second body
            uvec4 head = heads.values[s];
            if ((head.w & kIsJoint) != 0u) {
                add_joint(slope, s, head.xy, sign);
            } else {
                add_contact(slope, s, head, sign);
            }
        }
        vec3 further;
        vec3 turned;
        if (!solve_slope(slope, further, turned)) return;
        move_to(i, way + further, turn + turned);
    }
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
#if REST
    vec4 way = shifts.values[2u * i];
    vec4 turn = shifts.values[2u * i + 1u];
    if (is_turn_of(i)) {
        own_body = i;
        move_to(i, way.xyz, turn.xyz);
        descend(i);
        way.xyz = mix(way.xyz, own_way, 0.5);
        turn.xyz = mix(turn.xyz, own_turn, 0.5);
    }
    moved.values[2u * i] = way;
    moved.values[2u * i + 1u] = turn;
#else
    if (is_turn_of(i)) descend(i);
#endif
}
