#version 460
// Steps of the density-invariant solver in two dimensions. HALF: on a state of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256, local_size_x_id = 5) in;

#include "cells.glsl"
// Steps of the density-invariant solver in two dimensions, one or two.
//
// An invocation keeps what it has seen of its own column and of those beside it; of these it gets to
// see a row at a time, through shared memory. Where it takes two steps, the rows that the first one
// leaves are the second one's as those of the state are the first one's; only the second one's are
// stored.

const int kAxes = 2;
#include "step_cell.glsl"

layout(constant_id = 4) const uint kSteps = 1u; // two only without open sides
#include "step_walk.glsl"

// Two rows for each step, and a cell beyond their ends.
const int kRowCells = kRow + 2;
const int kStepCells = 2 * kRowCells;
shared vec2 velocities[int(kSteps) * kStepCells];
shared float densities[int(kSteps) * kStepCells];
shared float staged[kTwoStage != 0u ? int(kSteps) * kStepCells : 1]; // densities after the step

// The cells beside one in its row: velocity, and density - 1.
struct Beside {
    vec3 left;
    vec3 right;
};

// What an invocation knows in one of the steps: the rows before the newest, and their new densities.
struct Line {
    int at; // of the step's part of the rows
    vec4 third;
    vec4 second;
    vec4 last;
    Beside beside_third;
    Beside beside_second;
    Beside beside_last;
    float density_third;
    float density_second;
    uint second_beyond;
    uint last_beyond;
};

Line line_of(int step_index) {
    const Beside kNone = Beside(vec3(0.0), vec3(0.0));
    return Line(step_index * kStepCells, vec4(0.0), vec4(0.0), vec4(0.0), kNone, kNone, kNone, 0.0,
                0.0, kWithin, kWithin);
}

int place_in_row(Line line, int row) {
    return line.at + (row & 1) * kRowCells + 1 + int(gl_LocalInvocationIndex);
}

// The density whose gradient presses, of the row before `newest`, whose cell is `ahead`; beyond
// sides that are not periodic the new one is at rest.
float pressing_density(Line line, int newest, vec4 ahead) {
    if (is_solid(line.last.w)) return kSolid;
    if (beyond_of(line.last_beyond) != kWithin) return 0.0;
    float flow = flow_along(line.beside_last.left.xz, line.last.xw, line.beside_last.right.xz) +
                 flow_along(line.second.yw, line.last.yw, ahead.yw);
    return held_density(line.last.w - step_length() * flow, counts(newest - 1));
}

// With row `newest` in `value`, looks at the row before it and finds its new density; that of the
// first row of all has no meaning.
float staged_density(inout Line line, int newest, vec4 value) {
    int at = place_in_row(line, newest - 1);
    line.beside_last = Beside(vec3(velocities[at - 1], densities[at - 1]),
                              vec3(velocities[at + 1], densities[at + 1]));
    float density = pressing_density(line, newest, value);
    if (kTwoStage != 0u) staged[at] = density;
    return density;
}

// The cell of the row before that one, after the step. `density` is what was found last.
vec4 stepped(Line line, int newest, float density) {
    if (is_solid(line.second.w)) return line.second;
    Beside beside = line.beside_second;
    Sides sides;
    sides.x = Pair(vec4(beside.left.xy, 0.0, beside.left.z), vec4(beside.right.xy, 0.0, beside.right.z));
    sides.y = Pair(line.third, line.last);
    sides.z = sides.y;
    if (kTwoStage != 0u) {
        int at = place_in_row(line, newest - 2);
        sides.x.low.w = staged[at - 1];
        sides.x.high.w = staged[at + 1];
        sides.y.low.w = line.density_third;
        sides.y.high.w = density;
    }
    vec3 way = way_back(line.second.xyz);
    Beside row = line.beside_last;
    if (way.y > 0.0) row = line.beside_third;
    vec3 corner = vec3(way.x > 0.0 ? row.left.xy : row.right.xy, 0.0);
    vec3 traced = traced_back(line.second.xyz, way, sides, corner);

    ivec3 cell = ivec3(column.cell.x, newest - 2, 0);
    if (kSteps > 1u || kParts != 0u) cell.y = place_along(1, grid.dims.y, newest - 2).at;
    float pressing = kTwoStage != 0u ? line.density_second : line.second.w;
    return vec4(next_velocity(cell, line.second.xyz, traced, pressing, sides, counts(newest - 2)),
                line.density_second);
}

void take_in(inout Line line, int newest, vec4 value, uint beyond, float density) {
    int at = place_in_row(line, newest);
    velocities[at] = value.xy;
    densities[at] = value.w;
    line.third = line.second;
    line.second = line.last;
    line.last = value;
    line.beside_third = line.beside_second;
    line.beside_second = line.beside_last;
    line.density_third = line.density_second;
    line.density_second = density;
    line.second_beyond = line.last_beyond;
    line.last_beyond = beyond;
}

Line first_step;
Line second_step;

// Takes a row in, finds the new density of the one before it, and steps the one before that.
void advance(int newest) {
    uint beyond;
    vec4 value = next_cell(newest, beyond);
    barrier(); // the rows before the newest are in place

    float density = 0.0;
    if (newest > begin - kReach) density = staged_density(first_step, newest, value);
    if (kSteps == 1u) {
        if (owns(newest - 2)) keep(newest - 2, stepped(first_step, newest, density));
        take_in(first_step, newest, value, beyond, density);
        return;
    }

    // The second step's newest row is the one that the first step has just left, as a state would
    // have kept it. What stands for the world beyond the field and for solids stays.
    int next = newest - 2;
    vec4 cell = first_step.second;
    uint cell_beyond = first_step.second_beyond;
    if (next >= begin - kHalo && !is_solid(cell.w) && beyond_of(cell_beyond) == kWithin) {
        uint zero = params.from_rest >> 1;
        cell = fluid_cell(kept_cell(stepped(first_step, newest, density), zero), counts(next));
    }
    take_in(first_step, newest, value, beyond, density);
    float next_density = 0.0;
    if (next > begin - kHalo) next_density = staged_density(second_step, next, cell);
    if (owns(next - 2)) keep(next - 2, stepped(second_step, next, next_density));
    take_in(second_step, next, cell, cell_beyond, next_density);
}

void main() {
    if (is_left_out()) return;
    begin_walk();
    first_step = line_of(0);
    if (kSteps > 1u) second_step = line_of(1);
    for (int newest = begin - kReach; newest < end + 2 * int(kSteps); newest += 2) {
        advance(newest); // twice, so that what is kept need not be moved as often
        advance(newest + 1);
    }
    end_walk();
}
