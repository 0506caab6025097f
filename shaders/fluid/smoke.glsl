// Smoke in a grid; the kernel has smoke_params.glsl in its `params`. Lengths are in
// cells of the dye.

#include "solid.glsl"

readonly buffer Dye { vec4 cells[]; } dye;

uint dye_index(ivec3 cell) {
    return uint((cell.z * params.dye_dims.y + cell.y) * params.dye_dims.x + cell.x);
}
bool is_in_grid(ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, params.dye_dims));
}
bool is_solid_at(ivec3 cell) {
    ivec3 flow = params.dye_dims.z == 1 ? ivec3(cell.xy / params.scale, 0) : cell / params.scale;
    return is_in_grid(cell) && is_obstacle(flow);
}
float amount_of(vec4 value) {
    return (value.r + value.g + value.b) / 3.0;
}
