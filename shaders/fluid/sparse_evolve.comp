#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
// Takes the pressure's gradient off the velocity, adds vorticity confinement, and claims the bricks
// that the fluid is in or will come to. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kClaims = 1u; // 0: the domain is one brick
layout(constant_id = 2) const uint has_curl = 0u;

#if HALF
#include "cells_half.glsl"
#else
#include "cells_full.glsl"
#endif
#include "finite.glsl"
#include "sparse_fields.glsl"
#include "sparse/map.glsl"
#include "sparse/claim.glsl"

uniform Params {
    float confinement; // acceleration times dt
    float fastest;     // cells / time unit, along each axis
    float ahead;       // time units for which bricks are claimed
    int guard;         // cells around what is there for which they are
    float least_speed; // below this, and ...
    float least_dye;   // ... this, nothing is there
} params;

readonly buffer Velocity { StoredCell cells[]; } velocity;
readonly buffer Dye { StoredCell cells[]; } dye;
readonly buffer Pressure { float cells[]; } pressure;
readonly buffer Curl { StoredCell cells[]; } curl;
writeonly buffer Result { StoredCell cells[]; } result;
buffer Status { // SmokeStatus in passes/fluid/sparse.hpp
    uint clamped_speeds;
    uint not_finite;
    uint fastest; // bits of a float
    uint filled;
    uint mass[2];   // 2^-14 each, the low word first
    uint fading[2];
} status;

shared int low[3];
shared int high[3];
shared uint group_fastest; // bits of a float
shared float sums[256];

float pressure_at(uint at) {
    return at == kNoBrick ? 0.0 : pressure.cells[at];
}
float whirl_at(uint at) {
    return at == kNoBrick ? 0.0 : cell_of(curl.cells[at]).w;
}

// e (N x w), N along the gradient of |w|. Fedkiw, Stam and Jensen, "Visual Simulation of Smoke", 2001.
vec3 confined(WalkedCell walked, Beside at) {
    vec3 gradient = vec3(whirl_at(at.high_x) - whirl_at(at.low_x),
                         whirl_at(at.high_y) - whirl_at(at.low_y),
                         whirl_at(at.high_z) - whirl_at(at.low_z));
    precise float size = gradient.x * gradient.x + gradient.y * gradient.y + gradient.z * gradient.z;
    if (!(size > 0.0)) return vec3(0.0);
    vec3 n = gradient / sqrt(size);
    vec3 w = cell_of(curl.cells[walked.index]).xyz;
    precise vec3 force = vec3(n.y * w.z - n.z * w.y, n.z * w.x - n.x * w.z, n.x * w.y - n.y * w.x);
    return params.confinement * force;
}

vec3 evolved(WalkedCell walked) {
    precise vec3 speed = cell_of(velocity.cells[walked.index]).xyz;
    Beside at = cells_beside(walked, sides_of(walked, false));
    speed = speed - 0.5 * vec3(pressure_at(at.high_x) - pressure_at(at.low_x),
                               pressure_at(at.high_y) - pressure_at(at.low_y),
                               pressure_at(at.high_z) - pressure_at(at.low_z));
    if (has_curl != 0u) speed = speed + confined(walked, at);
    for (int axis = 0; axis < 3; ++axis) { // nothing flows into a wall
        int cell = walked.origin[axis] + walked.local[axis];
        if (cell == 0 && is_wall(axis, false)) speed[axis] = max(speed[axis], 0.0);
        if (cell == kDomain[axis] - 1 && is_wall(axis, true)) speed[axis] = min(speed[axis], 0.0);
    }
    if (!is_finite(vec4(speed, 0.0))) {
        atomicAdd(status.not_finite, 1u);
        return vec3(0.0);
    }
    vec3 held = clamp(speed, -params.fastest, params.fastest);
    if (held != vec3(speed)) atomicAdd(status.clamped_speeds, 1u);
    return held;
}

void add_mass(float mass, bool fading) {
    uint units = uint(clamp(mass, 0.0, 262143.0) * 16384.0);
    if (units == 0u) return;
    uint before = atomicAdd(status.mass[0], units);
    if (before + units < before) atomicAdd(status.mass[1], 1u);
    if (!fading) return;
    before = atomicAdd(status.fading[0], units);
    if (before + units < before) atomicAdd(status.fading[1], 1u);
}

// The sum over the group, for its first invocation: in one order, whatever the subgroups.
float group_sum(float value) {
    uint lane = gl_LocalInvocationID.x;
    sums[lane] = value;
    for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {
        barrier();
        if (lane < half_) sums[lane] += sums[lane + half_];
    }
    return sums[lane];
}

void main() {
    if (!group_has_brick()) return;
    uint lane = gl_LocalInvocationID.x;
    if (lane < 3u) {
        low[lane] = 0x7fffffff;
        high[lane] = -0x7fffffff;
    }
    if (lane == 0u) group_fastest = 0u;
    barrier();
    WalkedCell walked = walked_cell();
    float mass = 0.0;
    float speed_here = 0.0;
    ivec3 least = ivec3(0x7fffffff);
    ivec3 most = ivec3(-0x7fffffff);
    if (walked.exists) {
        vec3 speed = evolved(walked);
        result.cells[walked.index] = stored_cell(vec4(speed, 0.0));
        vec4 smoke = abs(cell_of(dye.cells[walked.index]));
        mass = (smoke.x + smoke.y + smoke.z) * (1.0 / 3.0);
        speed_here = max(max(abs(speed.x), abs(speed.y)), abs(speed.z));
        float smoke_here = max(max(smoke.x, smoke.y), max(smoke.z, smoke.w));
        if (speed_here > params.least_speed || smoke_here > params.least_dye) {
            ivec3 cell = walked.origin + walked.local;
            least = cell + ivec3(floor(min(params.ahead * speed, 0.0))) - params.guard;
            most = cell + ivec3(ceil(max(params.ahead * speed, 0.0))) + params.guard;
        }
    }
    least = subgroupMin(least);
    most = subgroupMax(most);
    speed_here = subgroupMax(speed_here);
    if (subgroupElect()) {
        for (int axis = 0; axis < 3; ++axis) {
            atomicMin(low[axis], least[axis]);
            atomicMax(high[axis], most[axis]);
        }
        atomicMax(group_fastest, floatBitsToUint(speed_here));
    }
    barrier();
    bool empty = low[0] > high[0];
    float all_mass = group_sum(mass);
    if (lane == 0u) {
        atomicMax(status.fastest, group_fastest);
        add_mass(all_mass, empty);
        if (!empty) atomicAdd(status.filled, 1u);
    }
    if (kClaims == 0u || empty) return;
    ivec3 first = max(ivec3(low[0], low[1], low[2]), ivec3(0)) / kBrick;
    ivec3 last = min(ivec3(high[0], high[1], high[2]), kLastCell) / kBrick;
    ivec3 size = max(last - first + 1, ivec3(0));
    uint count = uint(size.x * size.y * size.z);
    for (uint i = lane; i < count; i += 256u) {
        uint row = i / uint(size.x);
        ivec3 brick = first + ivec3(i % uint(size.x), row % uint(size.y), row / uint(size.y));
        uint number = brick_number(brick);
        uint word = find_brick(number);
        claim_brick(number, is_active(word) ? slot_of(word) : kPendingBrick);
    }
}
