// The residual of Poisson's equation on a rank's part of a grid. Needs part.glsl.
#include "part_stencil.glsl"

readonly buffer Rhs { float values[]; } rhs;

float residual_at(ivec3 place, ivec3 cell) {
    Stencil s = stencil_at(place, cell);
    if (s.diagonal == 0.0) return 0.0;
    int own = index_at(place);
    return rhs.values[own] - (s.diagonal * source.values[own] - s.around);
}
