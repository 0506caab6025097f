#version 460
//! variants CELLS=0,1
// Adds the interpolated solution of the coarser grid to a rank's part of a grid. CELLS: there are solid
// or fixed cells, and the others take the correction of their coarse cell.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
#include "solver/transfer_params.glsl"
    ivec3 coarse_size;  // of the array of the coarse part
    ivec3 coarse_halo;
    ivec3 coarse_first;
    int reach;          // cells beside the part that are corrected as well
} params;

readonly buffer Coarse { float values[]; } coarse;
buffer Solution { float values[]; } solution;

#include "part.glsl"
#include "solver/transfer.glsl"

// A coarse cell, and where it is counted without ends.
float coarse_at(ivec3 cell, ivec3 turned) {
    bvec3 whole = equal(params.coarse_halo, ivec3(0));
    ivec3 place = mix(turned + params.coarse_halo, cell, whole) - params.coarse_first;
    return coarse.values[place.x +
                         params.coarse_size.x * (place.y + params.coarse_size.y * place.z)];
}

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (!is_within(place, params.reach)) return;
    ivec3 cell = cell_of(place);
    // In a halo periodic axes go on beyond their ends.
    ivec3 turns = (params.first + place - params.halo - cell) / params.cells;
#if CELLS
    if (weights.values[index_at(place)].w < 0.0) return;
    ivec3 parent = cell / params.factor;
    float sum = coarse_at(parent, parent + turns * params.coarse_cells);
#else
    Parents p = parents_of(cell);
    // Odd cells are the upper ones in their parents.
    ivec3 near = p.near + turns * params.coarse_cells;
    ivec3 far = near + ivec3(notEqual(p.far, p.near)) * (2 * (cell & 1) - 1);
    float sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        bvec3 is_far = bvec3((corner & 1) != 0, (corner & 2) != 0, (corner & 4) != 0);
        vec3 weight = mix(p.near_weight, p.far_weight, is_far);
        float share = weight.x * weight.y * weight.z;
        if (share == 0.0) continue;
        sum += share * coarse_at(mix(p.near, p.far, is_far), mix(near, far, is_far));
    }
#endif
    solution.values[index_at(place)] += sum;
}
