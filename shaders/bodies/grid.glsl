// The uniform grid of the broad phase.
#ifndef BODIES_GRID
#define BODIES_GRID
uvec3 cell_of(vec3 place, vec3 origin, float per_unit, uvec3 cells) {
    return uvec3(clamp(floor((place - origin) * per_unit), vec3(0.0), vec3(cells - 1u)));
}
uint cell_index(uvec3 cell, uvec3 cells) {
    return cell.x + cells.x * (cell.z + cells.z * cell.y);
}
#endif
