// The uniform grid. Before the include, declare the members `vec3 origin`, `float cells_per_unit`
// and `uvec3 cells` of `Params`.

// The cell of a place; of one outside the grid the nearest. (Two places that are near each other
// are in neighbouring cells also where they are outside.)
uvec3 cell_of(vec3 position) {
    vec3 cell = floor((position - params.origin) * params.cells_per_unit);
    return uvec3(clamp(cell, vec3(0.0), vec3(params.cells - 1u)));
}

uint cell_index(uvec3 cell) {
    return cell.x + params.cells.x * (cell.y + params.cells.y * cell.z);
}

uint cell_count() {
    return params.cells.x * params.cells.y * params.cells.z;
}
