// The uniform grid of `cells` cells.
#ifndef PARTICLE_CELLS
#define PARTICLE_CELLS

// The cell of a place; of one outside the grid the nearest. (Two places that are near each other
// are in neighbouring cells also where they are outside.)
uvec3 cell_of(vec3 position, vec3 origin, float cells_per_unit, uvec3 cells) {
    vec3 cell = floor((position - origin) * cells_per_unit);
    return uvec3(clamp(cell, vec3(0.0), vec3(cells - 1u)));
}

uint cell_index(uvec3 cell, uvec3 cells) {
    return cell.x + cells.x * (cell.y + cells.y * cell.z);
}

uint cell_count(uvec3 cells) {
    return cells.x * cells.y * cells.z;
}
#endif
