#version 460
// A step of the density-invariant solver in two dimensions, a pixel to each cell: what it makes of a
// cell is looked up from the state, without any help of neighbours.

const int kAxes = 2;

#define HALF 0
#include "cells.glsl"
#include "step_cell.glsl"

readonly buffer Before { StoredCell cells[]; } before;

layout(location = 0) out vec4 after;

struct Seen {
    vec4 value;
    uint beyond;
};

Seen seen_at(ivec2 cell, bool own) {
    Place x = place_along(0, grid.dims.x, cell.x);
    Place y = place_along(1, grid.dims.y, cell.y);
    uint beyond = kEndless != 0u ? kWithin : first_beyond(x.beyond, y.beyond);
    if (beyond == kWall) return Seen(wall_cell(), beyond);
    if (beyond == kInflow) return Seen(inflow_cell(), beyond);
    ivec3 at = ivec3(x.at, y.at, 0);
    if (is_obstacle(at)) return Seen(obstacle_cell(at), beyond);
    vec4 value = vec4(0.0);
    if (params.from_rest == 0u) value = fluid_cell(before.cells[cell_index(at)], own);
    if (beyond == kOpen) value.w = 0.0;
    return Seen(value, beyond);
}
vec4 cell_at(ivec2 cell) {
    return seen_at(cell, false).value;
}

const ivec2 kRight = ivec2(1, 0);
const ivec2 kUp = ivec2(0, 1);

float next_density(ivec2 cell, vec4 value) {
    float flow = flow_along(cell_at(cell - kRight).xw, value.xw, cell_at(cell + kRight).xw);
    flow += flow_along(cell_at(cell - kUp).yw, value.yw, cell_at(cell + kUp).yw);
    return value.w - step_length() * flow;
}

// A neighbour: its velocity, and the density that presses.
vec4 beside(ivec2 cell) {
    Seen seen = seen_at(cell, false);
    if (kTwoStage == 0u || is_solid(seen.value.w)) return seen.value;
    if (seen.beyond != kWithin) return vec4(seen.value.xyz, 0.0);
    return vec4(seen.value.xyz, held_density(next_density(cell, seen.value), false));
}

void main() {
    begin_step();
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec4 old = seen_at(cell, true).value;
    if (cell == ivec2(0)) set_clock();
    if (is_solid(old.w)) {
        after = stored_solid(old);
        return;
    }
    float density = held_density(next_density(cell, old), true);
    Sides sides;
    sides.x = Pair(beside(cell - kRight), beside(cell + kRight));
    sides.y = Pair(beside(cell - kUp), beside(cell + kUp));
    sides.z = sides.y;

    vec3 way = way_back(old.xyz);
    vec3 corner = cell_at(cell + cell_back(way).xy).xyz;
    vec3 traced = traced_back(old.xyz, way, sides, corner);
    vec3 velocity = next_velocity(ivec3(cell, 0), old.xyz, traced,
                                  kTwoStage != 0u ? density : old.w, sides, true);
    after = vec4(velocity, density);
    vec3 speed = abs(velocity);
    if (kClocked != 0u) tell_speed(max(speed.x, speed.y));
}
