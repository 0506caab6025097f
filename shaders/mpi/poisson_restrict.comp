#version 460
//! variants CELLS=0,1
// The residual on a rank's part of a grid, as the right-hand side of the next coarser one: for each
// coarse cell of the rank the mean over the cells in it. CELLS: there are solid or fixed cells, and
// quotients have the volumes of cells in them, so it is the sum.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
#include "solver/transfer_params.glsl"
    ivec3 coarse_size;  // of the array of the coarse part
    ivec3 coarse_halo;
    ivec3 coarse_first;
} params;

writeonly buffer Result { float values[]; } result;

#include "part.glsl"
#include "part_residual.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.coarse_halo)) ||
        any(greaterThanEqual(place, params.coarse_size - params.coarse_halo)))
        return;
    ivec3 first = (params.coarse_first + place - params.coarse_halo) * params.factor;
    ivec3 end = min(first + params.factor, params.cells);
    float sum = 0.0;
    float volume = 0.0;
    for (int z = first.z; z < end.z; ++z)
        for (int y = first.y; y < end.y; ++y)
            for (int x = first.x; x < end.x; ++x) {
                ivec3 cell = ivec3(x, y, z);
#if CELLS
                float part = 1.0;
#else
                vec3 sides = mix(params.side, params.last_side, equal(cell, params.cells - 1));
                float part = sides.x * sides.y * sides.z;
#endif
                sum += part * residual_at(cell - params.first + params.halo, cell);
                volume += part;
            }
#if CELLS
    float restricted = sum;
#else
    float restricted = sum / volume;
#endif
    result.values[place.x + params.coarse_size.x * (place.y + params.coarse_size.y * place.z)] =
        restricted;
}
