#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
// Takes the pressure's gradient off the velocity, adds vorticity confinement, and claims the bricks
// that the fluid is in or will come to. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 128) in;
layout(constant_id = 1) const uint kClaims = 1u; // 0: the domain is one brick
layout(constant_id = 2) const uint has_curl = 0u;

#include "cells.glsl"
#include "finite.glsl"
#define WIDE 0
#define FLOW 1
#include "sparse_columns.glsl"
#include "sparse/map.glsl"
#include "sparse/claim.glsl"

uniform Params {
    float confinement; // acceleration times dt
    float fastest;     // cells / time unit, along each axis
    float ahead;       // time units for which bricks are claimed
    int guard;         // cells around what is there for which they are
    float least_speed; // below this, and without dye, nothing is there
} params;

readonly buffer Runs { Run runs[]; } runs; // of the dye
readonly buffer Pressure { float cells[]; } pressure;
readonly buffer Curl { float cells[]; } curl; // its length
writeonly buffer Result { StoredCell cells[]; } result;
writeonly buffer Parts { StatusPart parts[]; } status_parts; // by group
shared int low[3];
shared int high[3];
shared uint group_fastest; // bits of a float
shared uint group_rested;
shared uint group_slowed;
shared float sums[128];

float pressure_at(uint at, uint up) {
    return at == kNoBrick ? 0.0 : pressure.cells[at + up];
}
float curl_at(uint at, uint up) {
    return has_curl == 0u || at == kNoBrick ? 0.0 : curl.cells[at + up];
}

// What is in a cell above or below another one.
struct Slice {
    vec3 speed;
    float pressure;
    float curl;
};
Slice slice_at(uint at) {
    return Slice(velocity_at(at, 0u), pressure_at(at, 0u), curl_at(at, 0u));
}

// e (N x w), N along the gradient of |w|. Fedkiw, Stam and Jensen, "Visual Simulation of Smoke", 2001.
vec3 confined(Beside at, uint up, Slice below, Slice above) {
    vec3 gradient = vec3(curl_at(at.high_x, up) - curl_at(at.low_x, up),
                         curl_at(at.high_y, up) - curl_at(at.low_y, up), above.curl - below.curl);
    vec3 w = whirl_of(flow_around(at, up, below.speed, above.speed));
    precise float size = gradient.x * gradient.x + gradient.y * gradient.y + gradient.z * gradient.z;
    if (!(size > 0.0)) return vec3(0.0);
    vec3 n = gradient * inversesqrt(size);
    precise vec3 force = vec3(n.y * w.z - n.z * w.y, n.z * w.x - n.x * w.z, n.x * w.y - n.y * w.x);
    return params.confinement * force;
}

// Nothing flows into a wall.
float before_walls(int axis, int cell, float speed) {
    if (is_wall(axis, false) && cell == 0) speed = max(speed, 0.0);
    if (is_wall(axis, true) && cell == kDomain[axis] - 1) speed = min(speed, 0.0);
    return speed;
}

// How many cells an invocation has set to rest, or slowed down.
uint rested = 0u;
uint slowed = 0u;

vec3 evolved(WalkedCell column, Beside at, int layer, Slice below, Slice own, Slice above) {
    uint up = to_layer(column, layer);
    precise vec3 speed = own.speed;
    speed = speed - 0.5 * vec3(pressure_at(at.high_x, up) - pressure_at(at.low_x, up),
                               pressure_at(at.high_y, up) - pressure_at(at.low_y, up),
                               above.pressure - below.pressure);
    if (has_curl != 0u) speed = speed + confined(at, up, below, above);
    ivec3 cell = column.origin + column.local + ivec3(0, 0, layer);
    speed.x = before_walls(0, cell.x, speed.x);
    speed.y = before_walls(1, cell.y, speed.y);
    speed.z = before_walls(2, cell.z, speed.z);
    if (!is_finite(vec4(speed, 0.0))) {
        rested += uint(has_layer(column, layer));
        return vec3(0.0);
    }
    vec3 held = clamp(speed, -params.fastest, params.fastest);
    if (held != vec3(speed)) slowed += uint(has_layer(column, layer));
    return held;
}

// What an invocation knows of its column.
struct Reach {
    ivec3 least, most; // cells that its fluid may come to, without a guard
    float fastest;
    float mass; // of runs that begin in the column
};

// Whether there is fluid in a cell.
bool finish(WalkedCell column, int layer, vec3 speed, inout Reach reach) {
    if (!has_layer(column, layer)) return false;
    uint at = column.index + uint(layer) * kLayer;
    result.cells[at] = stored_cell(vec4(speed, 0.0));
    uint slot = slot_of(column.word);
    uint in_brick = at - slot * kBrickCells;
    Run run = runs.runs[slot * kRunsABrick + in_brick / kRun];
    if (in_brick % kRun == 0u) reach.mass += run.mass;
    float fastest = max(max(abs(speed.x), abs(speed.y)), abs(speed.z));
    reach.fastest = max(reach.fastest, fastest);
    return (run.present >> in_brick % kRun & 1u) != 0u || fastest > params.least_speed;
}

void evolve(WalkedCell column, inout Reach reach) {
    Sides sides = sides_of(column, false);
    Beside at = cells_beside(column, sides);
    // No loop: one that tools unroll may lose what `precise` says.
    Slice below = slice_at(at.low_z);
    Slice s0 = slice_at(column.index);
    Slice s1 = slice_at(index_above(column, sides, 0));
    Slice s2 = slice_at(index_above(column, sides, 1));
    vec3 first = evolved(column, at, 0, below, s0, s1);
    vec3 second = evolved(column, at, 1, s0, s1, s2);
    bool low = finish(column, 0, first, reach);
    bool high = finish(column, 1, second, reach);
    if (!low && !high) return;
    // From the lowest cell with fluid, and from the highest one.
    vec3 off = low ? params.ahead * first : vec3(0.0);
    vec3 other = high ? params.ahead * second : vec3(0.0);
    vec3 least = min(min(off, other), 0.0), most = max(max(off, other), 0.0);
    ivec3 cell = column.origin + column.local;
    reach.least = cell + ivec3(floor(least));
    reach.most = cell + ivec3(ceil(most));
    int least_above = 1 + int(floor(min(other.z, 0.0))), most_above = 1 + int(ceil(max(other.z, 0.0)));
    int least_own = int(floor(min(off.z, 0.0))), most_own = int(ceil(max(off.z, 0.0)));
    reach.least.z = cell.z + (!low ? least_above : high ? min(least_own, least_above) : least_own);
    reach.most.z = cell.z + (!low ? most_above : high ? max(most_own, most_above) : most_own);
}

// The sum over the group, for its first invocation: in one order, whatever the subgroups.
float group_sum() {
    uint lane = gl_LocalInvocationID.x;
    if (lane < 8u) {
        for (uint i = 1u; i < 16u; ++i)
            sums[lane] += sums[lane + 8u * i];
    }
    barrier();
    float sum = 0.0;
    for (uint i = 0u; i < 8u; ++i)
        sum += sums[i];
    return sum;
}

void main() {
    if (!column_group_has_brick()) return;
    uint lane = gl_LocalInvocationID.x;
    if (lane < 3u) {
        low[lane] = 0x7fffffff;
        high[lane] = -0x7fffffff;
    }
    if (lane == 0u) {
        group_fastest = 0u;
        group_rested = 0u;
        group_slowed = 0u;
    }
    barrier();
    WalkedCell column = walked_column();
    Reach reach = Reach(ivec3(0x7fffffff), ivec3(-0x7fffffff), 0.0, 0.0);
    if (column.exists) evolve(column, reach);
    ivec3 least = subgroupMin(reach.least);
    ivec3 most = subgroupMax(reach.most);
    uint fastest = subgroupMax(floatBitsToUint(reach.fastest)); // not negative: in the same order
    if (subgroupElect()) {
        for (int axis = 0; axis < 3; ++axis) {
            atomicMin(low[axis], least[axis]);
            atomicMax(high[axis], most[axis]);
        }
        atomicMax(group_fastest, fastest);
    }
    if (rested > 0u) atomicAdd(group_rested, rested);
    if (slowed > 0u) atomicAdd(group_slowed, slowed);
    sums[lane] = reach.mass;
    barrier();
    bool empty = low[0] > high[0];
    float mass = group_sum();
    if (lane == 0u) {
        uint flags = (empty ? kEmptyPart : 0u) | group_rested << 16 | group_slowed;
        status_parts.parts[group_index()] = StatusPart(group_fastest, mass, flags);
    }
    if (kClaims == 0u || empty) return;
    ivec3 first = max(ivec3(low[0], low[1], low[2]) - params.guard, ivec3(0)) / kBrick;
    ivec3 last = min(ivec3(high[0], high[1], high[2]) + params.guard, kLastCell) / kBrick;
    ivec3 size = max(last - first + 1, ivec3(0));
    uint count = uint(size.x * size.y * size.z);
    for (uint i = lane; i < count; i += 128u) {
        uint row = i / uint(size.x);
        ivec3 brick = first + ivec3(i % uint(size.x), row % uint(size.y), row / uint(size.y));
        uint number = brick_number(brick);
        uint word = find_brick(number);
        claim_brick(number, is_active(word) ? slot_of(word) : kPendingBrick);
    }
}
