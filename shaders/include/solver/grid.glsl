// Cells of a grid and the discrete Laplacian on it; the kernel has grid_params.glsl in `params`. On
// a cell (finite volumes), -laplace(u) is the sum over its faces of a quotient of grid_params times
// (u - u of the neighbour). Beyond a Dirichlet face u is 0, at half a side's distance; beyond a
// Neumann face the quotient is 0.
#include "modulo.glsl"

vec3 low_weights(ivec3 cell) {
    vec3 inner = mix(params.low_inner, params.low_last, equal(cell, params.cells - 1));
    return mix(inner, params.low_first, equal(cell, ivec3(0)));
}

vec3 high_weights(ivec3 cell) {
    vec3 inner = mix(params.high_inner, params.high_before, equal(cell, params.cells - 2));
    return mix(inner, params.high_last, equal(cell, params.cells - 1));
}

int index_of(ivec3 cell) {
    return cell.x + params.cells.x * (cell.y + params.cells.y * cell.z);
}

int cell_count() {
    return params.cells.x * params.cells.y * params.cells.z;
}

#include "solver/cell_at.glsl"

// Where periodic axes lead; other axes are left as they are.
ivec3 wrapped(ivec3 cell) {
    for (int axis = 0; axis < 3; ++axis)
        if (params.wraps[axis] != 0) cell[axis] = modulo(cell[axis], params.cells[axis]);
    return cell;
}

bool is_inside(ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, params.cells));
}

// 0: red, 1: black.
int color_of(ivec3 cell) {
    return (cell.x + cell.y + cell.z) & 1;
}

float sum_of(vec3 v) {
    return v.x + v.y + v.z;
}
