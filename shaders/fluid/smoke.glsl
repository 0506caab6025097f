// Smoke in a grid of `dims` cells, which are those of the flow or finer. Lengths are in them.

#include "solid.glsl"

readonly buffer Dye { vec4 cells[]; } dye;

struct SmokeGrid {
    ivec3 dims;
    int scale; // cells to one of the flow, along each axis
};

uint dye_index(SmokeGrid smoke, ivec3 cell) {
    return uint((cell.z * smoke.dims.y + cell.y) * smoke.dims.x + cell.x);
}
bool is_in_grid(SmokeGrid smoke, ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, smoke.dims));
}
bool is_solid_at(SmokeGrid smoke, ivec3 cell) {
    ivec3 flow = smoke.dims.z == 1 ? ivec3(cell.xy / smoke.scale, 0) : cell / smoke.scale;
    return is_in_grid(smoke, cell) && is_obstacle(flow);
}
float amount_of(vec4 value) {
    return (value.r + value.g + value.b) / 3.0;
}
