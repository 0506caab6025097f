#ifndef FLUID_FLOW
#define FLUID_FLOW
// The velocity of a flow, linear between the middles of its cells; in solids theirs.

#include "flow_cells.glsl"
#include "reach.glsl"
#include "solid.glsl"

vec3 flow_of(uint cell) {
    return flow_cell(cell).xyz;
}

vec3 flow_in(ivec3 cell) {
    return flow_of(cell_index(nearest_cell(cell)));
}

vec3 flow_on_line(uint start, Reach x) {
    return x.share.x * flow_of(start + uint(held_at(0, x.at.x, 1))) +
           x.share.y * flow_of(start + uint(held_at(0, x.at.y, 1)));
}
vec3 flow_on_sheet(uint start, Reach x, Reach y) {
    uint row = uint(held_dims().x);
    return y.share.x * flow_on_line(start + uint(held_at(1, y.at.x, 1)) * row, x) +
           y.share.y * flow_on_line(start + uint(held_at(1, y.at.y, 1)) * row, x);
}

// `place` in cells of the flow; beyond the sides that are not periodic as at them.
vec3 flow_at(vec3 place) {
    // Far outside it makes no difference where, and whole numbers stay in their range.
    vec3 most = vec3(grid.dims);
    vec3 from = clamp(place, -most, 2.0 * most) - 0.5;
    Reach x = reach_along(0, grid.dims.x, from.x, 0u);
    Reach y = reach_along(1, grid.dims.y, from.y, 0u);
    if (grid.dims.z == 1) return flow_on_sheet(0u, x, y);
    Reach z = reach_along(2, grid.dims.z, from.z, 0u);
    uint sheet = uint(held_dims().x * held_dims().y);
    return z.share.x * flow_on_sheet(uint(held_at(2, z.at.x, 1)) * sheet, x, y) +
           z.share.y * flow_on_sheet(uint(held_at(2, z.at.y, 1)) * sheet, x, y);
}

#endif
