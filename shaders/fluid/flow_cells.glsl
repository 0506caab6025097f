// The cells of a flow, in the precision of its state.
#define HALF 1
#include "cells.glsl"

layout(constant_id = 9) const uint has_flow = 0u;       // of 32 bits
layout(constant_id = 10) const uint has_flow_half = 0u; // of 16
readonly buffer Flow { vec4 cells[]; } flow;
readonly buffer FlowHalf { uvec2 cells[]; } flow_half;

// Velocity, and density - 1.
vec4 flow_cell(uint cell) {
    if (has_flow != 0u) return flow.cells[cell];
    return has_flow_half != 0u ? cell_of(flow_half.cells[cell]) : vec4(0.0);
}
