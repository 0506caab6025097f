#version 460
// The residual of a grid, as the right-hand side of the next coarser one. CELLS: with solid or fixed
// cells, the sum of the residuals in a coarse cell.
//! variants CELLS=0,1

// What a grid's residual is on the next coarser grid: for each coarse cell the mean over the cells
// in it, or with CELLS, where quotients have the cells' volumes in them, the sum.
layout(local_size_x = 256) in;

uniform Params {
#include "solver/grid_params.glsl"
    // To the next coarser grid. C++: `set_transfer`.
    ivec3 coarse_cells;
    ivec3 factor;      // 2 along axes that are coarsened, else 1
    vec3 low_drop;     // share of a coarse cell's solution that is gone at the axis's lower end
    vec3 high_drop;    // ... and at its upper end
    vec3 side;         // of this grid's cells, in those of the finest
    vec3 last_side;    // of the last one
    vec3 coarse_side;
    vec3 coarse_last;
    uint has_status;
    uint has_source; // 0: it counts as 0
} params;

writeonly buffer Result { float values[]; } result;

#include "solver/grid.glsl"
#include "invocation.glsl"
#include "rhs.glsl"
#include "stencil.glsl"
#include "solver/transfer.glsl"

float residual_at(ivec3 cell) {
    Stencil s = stencil_at(cell);
    if (s.diagonal == 0.0) return 0.0;
    int i = index_of(cell);
    float f = rhs.values[i] - rhs_shift(params.has_status);
    if (params.has_source == 0u) return f;
    return f - (s.diagonal * source.values[i] - neighbours_at(cell, s));
}

void main() {
    int index = int(invocation_index());
    if (index >= params.coarse_cells.x * params.coarse_cells.y * params.coarse_cells.z) return;
    ivec3 parent = cell_at(index, params.coarse_cells);
    ivec3 first = parent * params.factor;
    ivec3 end = min(first + params.factor, params.cells);
    float sum = 0.0;
    float volume = 0.0;
    for (int z = first.z; z < end.z; ++z)
        for (int y = first.y; y < end.y; ++y)
            for (int x = first.x; x < end.x; ++x) {
                ivec3 cell = ivec3(x, y, z);
                vec3 sides = mix(params.side, params.last_side, equal(cell, params.cells - 1));
#if CELLS
                float part = 1.0;
#else
                float part = sides.x * sides.y * sides.z;
#endif
                sum += part * residual_at(cell);
                volume += part;
            }
#if CELLS
    result.values[index] = sum;
#else
    result.values[index] = sum / volume;
#endif
}
