#version 460
// One step of semi-implicit Euler, and what surfaces do.

layout(local_size_x = 256) in;

#include "count.glsl"
#include "finite.glsl"
#include "invocation.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Velocities { vec4 values[]; } velocities;
layout(constant_id = 1) const uint has_forces = 0u;
layout(constant_id = 2) const uint has_spins = 0u;
readonly buffer Forces { vec4 values[]; } forces;
readonly buffer Spins { vec4 values[]; } spins; // angular velocity; mass
writeonly buffer Moved { vec4 values[]; } moved;
writeonly buffer Changed { vec4 values[]; } changed;

uniform Params {
    uint count;
    float dt; // seconds
    vec3 gravity;
    float kept;    // share of the velocity after damping
    float fastest; // speed at which a step is as long as it may be
    vec3 low;      // where middles may be
    vec3 high;
    vec3 sphere_center;
    float sphere_reach; // distance that middles keep from it; 0: no ball
    float restitution;
    float friction;
} params;

// Squares of large components would overflow.
float safe_length(vec3 v) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    return largest > 0.0 ? largest * length(v / largest) : 0.0;
}

// The velocity after touching a surface.
vec3 bounced(vec3 velocity, vec3 normal) {
    float away = dot(velocity, normal);
    if (away >= 0.0) return velocity;
    vec3 along = velocity - away * normal;
    return along * (1.0 - params.friction) - params.restitution * away * normal;
}

void main() {
    uint i = invocation_index();
    if (i >= particle_count(params.count)) return;
    vec4 position = positions.values[i];
    vec4 velocity = velocities.values[i];
    if (!is_alive(position.xyz, velocity.xyz)) {
        moved.values[i] = position;
        changed.values[i] = velocity;
        return;
    }
    vec3 acceleration = params.gravity;
    if (has_forces != 0u)
        acceleration += forces.values[i].xyz / (has_spins != 0u ? spins.values[i].w : 1.0);
    precise vec3 v = (velocity.xyz + acceleration * params.dt) * params.kept;
    float speed = safe_length(v);
    if (speed > params.fastest) v = v / speed * params.fastest;
    precise vec3 p = position.xyz + v * params.dt;

    vec3 from = p - params.sphere_center;
    float away = length(from);
    if (away < params.sphere_reach) {
        vec3 normal = away > 0.0 ? from / away : vec3(0.0, 1.0, 0.0);
        p = params.sphere_center + normal * params.sphere_reach;
        v = bounced(v, normal);
    }
    for (int axis = 0; axis < 3; ++axis) {
        vec3 inwards = vec3(0.0);
        inwards[axis] = p[axis] < params.low[axis] ? 1.0 : -1.0;
        if (p[axis] < params.low[axis] || p[axis] > params.high[axis]) v = bounced(v, inwards);
    }
    p = clamp(p, params.low, params.high);
    moved.values[i] = vec4(p, 1.0);
    changed.values[i] = vec4(v, velocity.w);
}
