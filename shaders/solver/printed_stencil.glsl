// The equation of a cell between walls without flux. `full` is what its diagonal would be with all
// neighbours: a wall's is the cell's own former value. Needs grid.glsl, and more than one cell.
struct PrintedStencil {
    vec3 low;
    vec3 high;
    float diagonal;
    float full;
    ivec3 stride;
};

PrintedStencil printed_stencil(ivec3 cell) {
    PrintedStencil s;
    s.low = low_weights(cell);
    s.high = high_weights(cell);
    s.diagonal = sum_of(s.low + s.high);
    vec3 inner = params.low_inner + params.high_inner;
    s.full = max(s.diagonal, sum_of(mix(inner, vec3(0.0), equal(params.cells, ivec3(1)))));
    s.stride = ivec3(1, params.cells.x, params.cells.x * params.cells.y);
    return s;
}
