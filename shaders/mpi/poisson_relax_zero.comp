#version 460
//! variants CELLS=0,1
// The first sweep of Gauss-Seidel on a rank's part, from a solution of 0: both colours at once.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "solver/grid_params.glsl"
#include "part_params.glsl"
    int reach;   // cells beside the part that are relaxed as well
    float omega; // relaxation factor
} params;

readonly buffer Rhs { float values[]; } rhs;
writeonly buffer Result { float values[]; } result;

#include "part.glsl"

const int kFirst = 0; // colour

// What a cell is after the first colour.
float after_first(int index, ivec3 cell) {
#if CELLS
    float diagonal = weights_at(index, neighbours_of(index, cell)).diagonal;
#else
    float diagonal = sum_of(low_weights(cell) + high_weights(cell));
#endif
    return color_of(cell) == kFirst && diagonal > 0.0 ? params.omega * rhs.values[index] / diagonal
                                                      : 0.0;
}

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (!is_within(place, params.reach)) return;
    ivec3 cell = cell_of(place);
    int own = index_at(place);
    float value = after_first(own, cell);
    if (color_of(cell) != kFirst) {
        Neighbours n = neighbours_of(own, cell);
#if CELLS
        Weights w = weights_at(own, n);
        vec3 low = w.low;
        vec3 high = w.high;
        float diagonal = w.diagonal;
#else
        vec3 low = low_weights(cell);
        vec3 high = high_weights(cell);
        float diagonal = sum_of(low + high);
#endif
        vec3 below = vec3(0.0);
        vec3 above = vec3(0.0);
        for (int axis = 0; axis < 3; ++axis) {
            ivec3 step_ = ivec3(0);
            step_[axis] = 1;
            if (n.has_below[axis]) below[axis] = after_first(n.below[axis], wrapped(cell - step_));
            if (n.has_above[axis]) above[axis] = after_first(n.above[axis], wrapped(cell + step_));
        }
        if (diagonal > 0.0)
            value = params.omega * (rhs.values[own] + dot(low, below) + dot(high, above)) / diagonal;
    }
    result.values[own] = value;
}
