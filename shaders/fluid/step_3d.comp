#version 460
// A step of the density-invariant solver in three dimensions. HALF: on a state of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 16, local_size_y = 16, local_size_x_id = 5, local_size_y_id = 6) in;

#include "cells.glsl"
// A step of the density-invariant solver in three dimensions.
//
// A group walks with a plane of cells. What an invocation has seen of its own column it keeps; what
// others look at is in a ring of planes in shared memory.

const int kAxes = 3;
const uint kSteps = 1u;
#include "step_cell.glsl"
#include "step_walk.glsl"

const int kSpanCells = kRow * int(gl_WorkGroupSize.y);
// Planes of the rings: of the density, in two stages, others look at the newest but one alone.
const int kRing = 4;
const int kDensityRing = kTwoStage != 0u ? 2 : kRing;

// The outermost columns look a row beyond the plane.
const int kFieldCells = kRing * kSpanCells + 2 * kRow;
const int kDensity = 3 * kFieldCells;
const int kTileCells = kDensity + kDensityRing * kSpanCells + 2 * kRow;
const int kStagedCells = kTwoStage != 0u ? 2 * kSpanCells + 2 * kRow : 1;
shared float tile[kTileCells];     // velocity, and density - 1
shared float staged[kStagedCells]; // density - 1 after the step, two planes

int plane_in_ring(int plane) {
    return kRow + (plane & (kRing - 1)) * kSpanCells; // of planes from -4 on
}
int plane_of_density(int plane) {
    return kDensity + kRow + (plane & (kDensityRing - 1)) * kSpanCells;
}
int plane_staged(int plane) {
    return kRow + (plane & 1) * kSpanCells;
}

void put(int plane, int lane, vec4 value) {
    int at = plane_in_ring(plane) + lane;
    tile[at] = value.x;
    tile[kFieldCells + at] = value.y;
    tile[2 * kFieldCells + at] = value.z;
    tile[plane_of_density(plane) + lane] = value.w;
}
vec3 velocity_in(int at) {
    return vec3(tile[at], tile[kFieldCells + at], tile[2 * kFieldCells + at]);
}

// Of the own column: the planes before the newest, and the new densities of those.
vec4 third = vec4(0.0), second = vec4(0.0), last = vec4(0.0);
float density_third = 0.0, density_second = 0.0;
uint last_beyond = kWithin;
int second_at = 0, last_at = 0; // places along the walk

// density - 1 of a plane's cell after the step; `ahead`: the cell after it along the walk.
float next_density(int plane, int lane, vec4 ahead) {
    int x = plane_in_ring(plane) + lane;
    int y = kFieldCells + x;
    int w = plane_of_density(plane) + lane;
    float flow = flow_along(vec2(tile[x - 1], tile[w - 1]), last.xw, vec2(tile[x + 1], tile[w + 1]));
    flow += flow_along(vec2(tile[y - kRow], tile[w - kRow]), last.yw,
                       vec2(tile[y + kRow], tile[w + kRow]));
    flow += flow_along(second.zw, last.zw, ahead.zw);
    return last.w - step_length() * flow;
}

// The density whose gradient presses, of the plane before `newest`, whose cell is `ahead`; beyond
// sides that are not periodic the new one is at rest.
float pressing_density(int newest, int lane, vec4 ahead) {
    if (is_solid(last.w)) return kSolid;
    if (beyond_of(last_beyond) != kWithin) return 0.0;
    return held_density(next_density(newest - 1, lane, ahead), counts(newest - 1));
}

// The velocity where the fluid was a step ago, less than a cell away. `lane` is the cell's place in
// its plane.
vec3 traced_back_in(int plane, int lane, vec3 velocity, Sides sides) {
    vec3 way = way_back(velocity);
    ivec3 back = cell_back(way);
    int here = plane_in_ring(plane) + lane;
    int behind = plane_in_ring(plane + back.z) + lane;
    int y = back.y * kRow;
    vec3 share = abs(way);
    vec3 near = traced_back(velocity, way, sides, velocity_in(here + y + back.x));
    vec3 far = towards(towards(back_of(sides.z, way.z), velocity_in(behind + back.x), share.x),
                       towards(velocity_in(behind + y), velocity_in(behind + y + back.x), share.x),
                       share.y);
    return towards(near, far, share.z);
}

// A cell's neighbours within its plane.
Pair sides_in_plane(int plane, int lane, int stride) {
    int here = plane_in_ring(plane) + lane;
    Pair pair = Pair(vec4(velocity_in(here - stride), 0.0), vec4(velocity_in(here + stride), 0.0));
    int pressing = plane_staged(plane) + lane;
    int old = plane_of_density(plane) + lane;
    pair.low.w = kTwoStage != 0u ? staged[pressing - stride] : tile[old - stride];
    pair.high.w = kTwoStage != 0u ? staged[pressing + stride] : tile[old + stride];
    return pair;
}

// The cell of plane `newest` - 2 after the step. `density` is the new one of the plane after it.
vec4 stepped(int newest, int lane, float density) {
    if (is_solid(second.w)) return second;
    int plane = newest - 2;
    Sides sides = Sides(sides_in_plane(plane, lane, 1), sides_in_plane(plane, lane, kRow),
                        Pair(third, last));
    if (kTwoStage != 0u) {
        sides.z.low.w = density_third;
        sides.z.high.w = density;
    }
    float pressing = kTwoStage != 0u ? density_second : second.w;
    vec3 traced = traced_back_in(plane, lane, second.xyz, sides);
    ivec3 cell = ivec3(column.cell.xy, kParts != 0u ? second_at : plane);
    bool own = kParts == 0u || counts(plane);
    return vec4(next_velocity(cell, second.xyz, traced, pressing, sides, own), density_second);
}

// Takes a plane in, finds the new density of the one before it, and steps the one before that.
void advance(int newest) {
    int lane = int(gl_LocalInvocationIndex);
    int at = plane.at;
    uint beyond;
    vec4 value = next_cell(newest, beyond);
    barrier(); // the planes before the newest are in place

    float density = 0.0;
    if (newest - 1 > begin - kHalo) {
        density = pressing_density(newest, lane, value);
        if (kTwoStage != 0u) staged[plane_staged(newest - 1) + lane] = density;
    }
    if (owns(newest - 2)) keep(newest - 2, stepped(newest, lane, density));
    put(newest, lane, value);

    third = second;
    second = last;
    last = value;
    density_third = density_second;
    density_second = density;
    last_beyond = beyond;
    second_at = last_at;
    last_at = at;
}

void main() {
    if (is_left_out()) return;
    begin_walk();
    for (int newest = begin - kHalo; newest < end + 2; newest += 2) {
        advance(newest); // twice, so that what is kept need not be moved as often
        advance(newest + 1);
    }
    end_walk();
}
