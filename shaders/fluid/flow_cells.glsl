// The cells of a flow, in the precision of its state.
#include "cells_half.glsl"

layout(constant_id = 9) const uint kHalf = 0u; // 1: of 16 bits
readonly buffer Flow { vec4 cells[]; } flow;
readonly buffer FlowHalf { uvec2 cells[]; } flow_half;

// Velocity, and density - 1.
vec4 flow_cell(uint cell) {
    if (kHalf == 0u) return flow.cells[cell];
    return cell_of(flow_half.cells[cell]);
}
