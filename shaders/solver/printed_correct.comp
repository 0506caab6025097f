#version 460
// Adds the correction of the next coarser grid as the chapter does: each cell takes that of its
// coarse cell.
layout(local_size_x = 256) in;

uniform Params {
    ivec3 cells;
    ivec3 coarse_cells;
    ivec3 factor; // 2 along axes that are coarsened, else 1
} params;

readonly buffer Coarse { float values[]; } coarse;
buffer Solution { float values[]; } solution;

#include "solver/cell_at.glsl"
#include "invocation.glsl"

void main() {
    int i = int(invocation_index());
    ivec3 cell = cell_at(i, params.cells);
    if (cell.z >= params.cells.z) return;
    ivec3 parent = cell / params.factor;
    ivec3 size = params.coarse_cells;
    solution.values[i] += coarse.values[parent.x + size.x * (parent.y + size.y * parent.z)];
}
