// One constraint at a time: what it takes to make the velocities of its two bodies what it wants them to
// be. The includer declares Heads, Rows, Impulses, Masses (with SOFT also Shifts), sets `phase`, and has the
// parameters `stride`, `inverse_dt`, `correction`, `slop`, `fastest_push`, `threshold` and those of softness.
#ifndef BODIES_SOLVER
#define BODIES_SOLVER

#include "velocity.glsl"

#if SOFT
// How far a point of a body has gone since the contacts were found.
vec3 shift_at(uint body, vec3 r) {
    return shifts.values[2u * body].xyz + cross(shifts.values[2u * body + 1u].xyz, r);
}
#endif

// Phases.
const uint kWarm = 0u;   // what the step before took is applied
const uint kSolve = 1u;
const uint kRelax = 2u;  // without mending overlaps
const uint kBounce = 3u; // restitution after soft contacts
uint phase;

float normal_impulse(float gap, float speed, float mass, float wanted, float had) {
#if SOFT
    // Soft contacts: a spring and a damper, solved implicitly (E. Catto, "Soft Constraints", 2011;
    // "Solver2D", 2024).
    if (phase == kSolve && gap <= 0.0) {
        float bias = max(params.soft_rate * min(gap + params.slop, 0.0), -params.fastest_push);
        return max(had - mass * params.soft_mass * (speed + bias) - params.soft_impulse * had, 0.0);
    }
    float bias = gap > 0.0 ? gap * params.inverse_dt : 0.0;
    return max(had - mass * (speed + bias), 0.0);
#else
    return max(had - mass * (speed + wanted), 0.0);
#endif
}

const uint kMaxPoints = 4u; // of a contact

#if !SOFT
// All points of a contact that push or should, pushed alike: one after the other they would turn bodies
// that lie flat, which piles never quite get rid of. `lack` has the speeds that are missing; the
// impulses are those of the points.
void push_together(uint points, vec3 n, vec3 at[kMaxPoints], vec3 apart, vec4 lack, inout vec4 pushes, inout Both body) {
    vec3 ra = vec3(0.0);
    float count = 0.0;
    float missing = 0.0;
    float least = 0.0; // a contact does not pull
    bvec4 among = bvec4(false);
    for (uint k = 0u; k < kMaxPoints; ++k) {
        if (k >= points || (pushes[k] <= 0.0 && lack[k] >= 0.0)) continue;
        among[k] = true;
        least = count == 0.0 ? pushes[k] : min(least, pushes[k]);
        ra += at[k];
        missing += lack[k];
        count += 1.0;
    }
    if (count < 2.0) return;
    vec3 turn_a = cross(ra, n);
    vec3 turn_b = cross(ra + count * apart, n);
    vec3 spin_a = inverse_inertia(body.ma, turn_a);
    vec3 spin_b = inverse_inertia(body.mb, turn_b);
    float gives = count * count * (body.ma.first.w + body.mb.first.w) + dot(turn_a, spin_a) + dot(turn_b, spin_b);
    if (gives <= 0.0) return;
    float change = max(-missing / gives, -least);
    pushes += mix(vec4(0.0), vec4(change), among);
    body.a.linear.xyz -= (count * change * body.ma.first.w) * n;
    body.a.angular.xyz -= change * spin_a;
    body.b.linear.xyz += (count * change * body.mb.first.w) * n;
    body.b.angular.xyz += change * spin_b;
}
#endif

void solve_contact(uint s, uvec2 bodies, uint points, inout Both body) {
    vec4 normal = row_at(0u, s);
    vec4 apart = row_at(1u, s);
    vec3 n = normal.xyz;
    vec3 t1;
    vec3 t2;
    across(n, t1, t2);
    vec3 at[kMaxPoints];
    vec4 wanted = vec4(0.0);
    vec4 masses_of[kMaxPoints];
    vec4 had[kMaxPoints];
    for (uint k = 0u; k < kMaxPoints; ++k) {
        if (k >= points) continue;
        vec4 point = row_at(2u + k, s);
        at[k] = point.xyz;
        wanted[k] = point.w;
        had[k] = impulses.values[k * params.stride + s];
        if (phase == kWarm) continue;
        masses_of[k] = row_at(6u + k, s);
#ifdef SPLIT_MASSES
        // Rows have those of whole bodies, with which each constraint would push as if it were alone.
        vec3 rb = at[k] + apart.xyz;
        float slides = min(effective_mass(body.ma, body.mb, at[k], rb, t1), effective_mass(body.ma, body.mb, at[k], rb, t2));
        masses_of[k].xyz = vec3(effective_mass(body.ma, body.mb, at[k], rb, n), slides, slides);
#endif
    }
    if (phase == kWarm) {
        for (uint k = 0u; k < kMaxPoints; ++k) {
            if (k >= points) continue;
            vec3 impulse = had[k].x * n + had[k].y * t1 + had[k].z * t2;
            push(body.a, body.ma, at[k], -impulse);
            push(body.b, body.mb, at[k] + apart.xyz, impulse);
        }
        return;
    }
#if !SOFT
    vec4 lack = vec4(0.0);
    vec4 pushes = vec4(0.0);
    for (uint k = 0u; k < kMaxPoints; ++k) {
        if (k >= points) continue;
        pushes[k] = had[k].x;
        lack[k] = dot(at_point(body.b, at[k] + apart.xyz) - at_point(body.a, at[k]), n) + wanted[k];
    }
    push_together(points, n, at, apart.xyz, lack, pushes, body);
    for (uint k = 0u; k < kMaxPoints; ++k)
        if (k < points) had[k].x = pushes[k];
#endif
    for (uint k = 0u; k < kMaxPoints; ++k) {
        if (k >= points) continue;
        vec4 mass = masses_of[k];
        vec3 rb = at[k] + apart.xyz;
        float speed = dot(at_point(body.b, rb) - at_point(body.a, at[k]), n);
        float now = had[k].x;
#if SOFT
        if (phase == kBounce) {
            if (apart.w > 0.0 && had[k].w < -params.threshold && had[k].x > 0.0)
                now = max(had[k].x - mass.x * (speed + apart.w * had[k].w), 0.0);
        } else {
            float gap = mass.w + dot(shift_at(bodies.y, rb) - shift_at(bodies.x, at[k]), n);
            now = normal_impulse(gap, speed, mass.x, wanted[k], had[k].x);
        }
#else
        now = normal_impulse(mass.w, speed, mass.x, wanted[k], had[k].x);
#endif
        vec3 impulse = (now - had[k].x) * n;
        had[k].x = now;
        push(body.a, body.ma, at[k], -impulse);
        push(body.b, body.mb, rb, impulse);
    }
    for (uint k = 0u; k < kMaxPoints; ++k) {
        if (k >= points) continue;
        if (phase != kBounce) {
            vec3 rb = at[k] + apart.xyz;
            vec3 sliding = at_point(body.b, rb) - at_point(body.a, at[k]);
            // Within the cone.
            vec2 now = had[k].yz - masses_of[k].yz * vec2(dot(sliding, t1), dot(sliding, t2));
            float most = normal.w * had[k].x;
            float size = length(now);
            if (size > most) now *= most / size;
            vec3 impulse = (now.x - had[k].y) * t1 + (now.y - had[k].z) * t2;
            had[k].yz = now;
            push(body.a, body.ma, at[k], -impulse);
            push(body.b, body.mb, rb, impulse);
        }
        impulses.values[k * params.stride + s] = had[k];
    }
}

// --- joints --------------------------------------------------------------------------------------------

// v -> v x r as a matrix's columns: what K = 1/m + ... takes.
mat3 point_matrix(Both body, vec3 ra, vec3 rb) {
    mat3 k = mat3(body.ma.first.w + body.mb.first.w);
    for (int axis = 0; axis < 3; ++axis) {
        vec3 e = vec3(0.0);
        e[axis] = 1.0;
        k[axis] += cross(inverse_inertia(body.ma, cross(ra, e)), ra) +
                   cross(inverse_inertia(body.mb, cross(rb, e)), rb);
    }
    return k;
}
mat3 turn_matrix(Both body) {
    mat3 k;
    for (int axis = 0; axis < 3; ++axis) {
        vec3 e = vec3(0.0);
        e[axis] = 1.0;
        k[axis] = inverse_inertia(body.ma, e) + inverse_inertia(body.mb, e);
    }
    return k;
}
vec3 solved(mat3 k, vec3 v) {
    float det = dot(k[0], cross(k[1], k[2]));
    if (abs(det) < 1e-30) return vec3(0.0);
    return vec3(dot(v, cross(k[1], k[2])), dot(k[0], cross(v, k[2])), dot(k[0], cross(k[1], v))) / det;
}
// Across an axis alone.
vec3 solved_across(mat3 k, vec3 axis, vec3 v) {
    vec3 u;
    vec3 w;
    across(axis, u, w);
    float uu = dot(u, k * u);
    float uw = dot(u, k * w);
    float ww = dot(w, k * w);
    float det = uu * ww - uw * uw;
    if (abs(det) < 1e-30) return vec3(0.0);
    vec2 r = vec2(dot(u, v), dot(w, v));
    return (u * (ww * r.x - uw * r.y) + w * (uu * r.y - uw * r.x)) / det;
}

// Along or about the joint's axis.
struct Shaft {
    vec3 axis;
    vec3 ra;
    vec3 rb;
    bool turns;
    float mass;
};
float speed_of(Shaft shaft, Both body) {
    if (shaft.turns) return dot(body.b.angular.xyz - body.a.angular.xyz, shaft.axis);
    return dot(at_point(body.b, shaft.rb) - at_point(body.a, shaft.ra), shaft.axis);
}
void turn_shaft(Shaft shaft, float impulse, inout Both body) {
    if (shaft.turns) {
        twist(body.a, body.ma, -impulse * shaft.axis);
        twist(body.b, body.mb, impulse * shaft.axis);
    } else {
        push(body.a, body.ma, shaft.ra, -impulse * shaft.axis);
        push(body.b, body.mb, shaft.rb, impulse * shaft.axis);
    }
}

void solve_shaft(uint parts, Shaft shaft, float along, vec4 limits, float speed, float strongest,
                 inout vec4 first, inout vec4 second, inout vec4 third, inout Both body) {
    if ((parts & kHasMotor) != 0u) {
        float now = clamp(first.w - shaft.mass * (speed_of(shaft, body) - speed), -strongest, strongest);
        turn_shaft(shaft, now - first.w, body);
        first.w = now;
    }
    if ((parts & kHasLimits) == 0u) return;
    float below = along - limits.x;
    float bias = below > 0.0 ? below * params.inverse_dt : params.correction * params.inverse_dt * below;
    float now = max(second.w - shaft.mass * (speed_of(shaft, body) + bias), 0.0);
    turn_shaft(shaft, now - second.w, body);
    second.w = now;
    float above = limits.y - along;
    bias = above > 0.0 ? above * params.inverse_dt : params.correction * params.inverse_dt * above;
    now = max(third.x - shaft.mass * (-speed_of(shaft, body) + bias), 0.0);
    turn_shaft(shaft, -(now - third.x), body);
    third.x = now;
}

void solve_joint(uint s, uvec2 bodies, inout Both body) {
    vec4 row0 = row_at(0u, s);
    vec4 row1 = row_at(1u, s);
    vec4 row2 = row_at(2u, s);
    vec4 row3 = row_at(3u, s);
    vec4 row4 = row_at(4u, s);
    uint kind = floatBitsToUint(row0.w);
    uint parts = floatBitsToUint(row1.w);
    vec3 ra = row0.xyz;
    vec3 rb = row1.xyz;
    vec4 first = impulses.values[s];
    vec4 second = impulses.values[params.stride + s];
    vec4 third = impulses.values[2u * params.stride + s];
    vec3 axis = row3.xyz;
    // A slider's anchors shift: the push goes through one point of space.
    if (kind == kSlider) ra += row2.xyz;
    Shaft shaft = Shaft(axis, ra, rb, kind != kSlider, 0.0);
    if (phase == kWarm) {
        push(body.a, body.ma, ra, -first.xyz);
        push(body.b, body.mb, rb, first.xyz);
        twist(body.a, body.ma, -second.xyz);
        twist(body.b, body.mb, second.xyz);
        if (kind != kBall) turn_shaft(shaft, first.w + second.w - third.x, body);
        return;
    }
    if (phase == kBounce) return;
    float rate = phase == kRelax ? 0.0 : params.correction * params.inverse_dt;
    if (kind != kBall) {
        float inverse = shaft.turns
                            ? dot(axis, inverse_inertia(body.ma, axis) + inverse_inertia(body.mb, axis))
                            : body.ma.first.w + body.mb.first.w +
                                  dot(cross(ra, axis), inverse_inertia(body.ma, cross(ra, axis))) +
                                  dot(cross(rb, axis), inverse_inertia(body.mb, cross(rb, axis)));
        shaft.mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
        solve_shaft(parts, shaft, row2.w, row_at(5u, s), row3.w, row4.w, first, second, third, body);
        vec3 wrong = body.b.angular.xyz - body.a.angular.xyz + rate * row4.xyz;
        vec3 change = kind == kHinge ? -solved_across(turn_matrix(body), axis, wrong)
                                     : -solved(turn_matrix(body), wrong);
        second.xyz += change;
        twist(body.a, body.ma, -change);
        twist(body.b, body.mb, change);
    }
#if SOFT
    row2.xyz += shift_at(bodies.y, rb) - shift_at(bodies.x, ra);
#endif
    vec3 apart = kind == kSlider ? row2.xyz - dot(row2.xyz, axis) * axis : row2.xyz;
    vec3 wrong = at_point(body.b, rb) - at_point(body.a, ra) + rate * apart;
    mat3 k = point_matrix(body, ra, rb);
    vec3 change = kind == kSlider ? -solved_across(k, axis, wrong) : -solved(k, wrong);
    first.xyz += change;
    push(body.a, body.ma, ra, -change);
    push(body.b, body.mb, rb, change);
    impulses.values[s] = first;
    impulses.values[params.stride + s] = second;
    impulses.values[2u * params.stride + s] = third;
}
#endif
