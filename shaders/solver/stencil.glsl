// The discrete Laplacian around a cell. With CELLS, what couples cells comes from a buffer, four
// numbers a cell: the quotients to the neighbours below along x, y and z, and what ties the cell to
// 0; less than 0: the cell is no unknown.

struct Stencil {
    vec3 low;
    vec3 high;
    float diagonal; // 0: nothing to solve
};

#if CELLS
readonly buffer Weights { vec4 values[]; } weights;

float weight_above(ivec3 cell, int axis) {
    ivec3 above = cell;
    above[axis] += 1;
    if (above[axis] == params.cells[axis]) {
        if (params.wraps[axis] == 0) return 0.0;
        above[axis] = 0;
    }
    return weights.values[index_of(above)][axis];
}

Stencil stencil_at(ivec3 cell) {
    vec4 own = weights.values[index_of(cell)];
    Stencil s;
    s.low = own.xyz;
    s.high = vec3(weight_above(cell, 0), weight_above(cell, 1), weight_above(cell, 2));
    s.diagonal = own.w < 0.0 ? 0.0 : sum_of(s.low + s.high) + own.w;
    return s;
}
#else
Stencil stencil_at(ivec3 cell) {
    Stencil s;
    s.low = low_weights(cell);
    s.high = high_weights(cell);
    s.diagonal = sum_of(s.low + s.high);
    return s;
}
#endif

readonly buffer Source { float values[]; } source;

// The neighbours' part of -laplace(source) at a cell.
float neighbours_at(ivec3 cell, Stencil s) {
    int own = index_of(cell);
    ivec3 stride = ivec3(1, params.cells.x, params.cells.x * params.cells.y);
    ivec3 around = (params.cells - 1) * stride;
    bvec3 first = equal(cell, ivec3(0));
    bvec3 last = equal(cell, params.cells - 1);
    ivec3 below = own + mix(-stride, around, first);
    ivec3 above = own + mix(stride, -around, last);
    vec3 low = vec3(source.values[below.x], source.values[below.y], source.values[below.z]);
    vec3 high = vec3(source.values[above.x], source.values[above.y], source.values[above.z]);
    // Beyond walls the function is 0, or it does not count.
    vec3 walls = vec3(1 - params.wraps);
    low *= 1.0 - walls * vec3(first);
    high *= 1.0 - walls * vec3(last);
    return dot(s.low, low) + dot(s.high, high);
}
