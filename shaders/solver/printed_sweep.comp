#version 460
// FROM_ZERO: the solution counts as 0.
//! variants FROM_ZERO=0,1

// Half a sweep as the chapter has it, in place: the cells of one colour, overrelaxed. Beyond a wall
// lies the value that the cell itself had, so its equation is one of six neighbours as well.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
    float omega;
    uint has_status;
    int color;
} params;

#if FROM_ZERO
writeonly buffer Solution { float values[]; } solution;
#else
buffer Solution { float values[]; } solution;
#endif

#include "solver/grid.glsl"
#include "invocation.glsl"
#include "rhs.glsl"
#include "printed_stencil.glsl"

void main() {
    int pairs = (params.cells.x + 1) / 2;
    ivec3 cell = cell_at(int(invocation_index()), ivec3(pairs, params.cells.yz));
    if (cell.z >= params.cells.z) return;
    int odd = (cell.y + cell.z + params.color) & 1;
#if FROM_ZERO
    int other = 2 * cell.x + 1 - odd;
    if (other < params.cells.x) solution.values[index_of(ivec3(other, cell.yz))] = 0.0;
#endif
    cell.x = 2 * cell.x + odd;
    if (cell.x >= params.cells.x) return;
    int own = index_of(cell);
    float left = rhs.values[own] - rhs_shift(params.has_status);
    PrintedStencil s = printed_stencil(cell);
#if FROM_ZERO
    solution.values[own] = params.omega * left / s.full;
#else
    for (int axis = 0; axis < 3; ++axis) {
        if (s.low[axis] != 0.0) left += s.low[axis] * solution.values[own - s.stride[axis]];
        if (s.high[axis] != 0.0) left += s.high[axis] * solution.values[own + s.stride[axis]];
    }
    float u = solution.values[own];
    solution.values[own] = u + params.omega * (left - s.diagonal * u) / s.full;
#endif
}
