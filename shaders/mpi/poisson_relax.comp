#version 460
//! variants CELLS=0,1
// Half a sweep of Gauss-Seidel on a rank's part: relaxes the cells of one colour and copies the
// others. Along a periodic axis of an odd number of cells two neighbours have one colour: each reads
// the former value of the other.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
    int reach;   // cells beside the part that are relaxed as well
    int color;
    float omega; // relaxation factor
} params;

writeonly buffer Result { float values[]; } result;

#include "part.glsl"
#include "part_residual.glsl"

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (!is_within(place, params.reach)) return;
    ivec3 cell = cell_of(place);
    int own = index_at(place);
    float value = source.values[own];
    if (color_of(cell) == params.color) {
        Stencil s = stencil_at(place, cell);
        if (s.diagonal > 0.0)
            value += params.omega * ((rhs.values[own] + s.around) / s.diagonal - value);
    }
    result.values[own] = value;
}
