#version 460
// CELLS: there are solid or fixed cells.
//! variants CELLS=0,1

// One sweep of damped Jacobi relaxation.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
    float omega;
    uint has_status;
} params;

writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"
#include "invocation.glsl"
#include "rhs.glsl"
#include "stencil.glsl"

void main() {
    int i = int(invocation_index());
    if (i >= cell_count()) return;
    ivec3 cell = cell_at(i, params.cells);
    Stencil s = stencil_at(cell);
    float own = source.values[i];
    float f = rhs.values[i] - rhs_shift(params.has_status);
    float better = s.diagonal == 0.0 ? own : (f + neighbours_at(cell, s)) / s.diagonal;
    result.values[i] = own + params.omega * (better - own);
}
