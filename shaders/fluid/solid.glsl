#ifndef FLUID_SOLID
#define FLUID_SOLID
// The cells of a flow: which of them are solid, and what lies beyond the sides.

#include "modulo.glsl"

layout(push_constant) uniform Grid {
    ivec3 dims; // cells along each axis
    uint faces; // a FluidFace for each side, four bits each
} grid;

layout(constant_id = 0) const uint has_solid = 0u;
readonly buffer Solid { uint words[]; } solid;

// FluidFace in C++.
const uint kWall = 0u;
const uint kPeriodic = 1u;
const uint kInflow = 2u;
const uint kOpen = 3u;
const uint kWithin = 15u; // beyond none

uint face_of(int axis, bool high) {
    return grid.faces >> uint(8 * axis + (high ? 4 : 0)) & 15u;
}

uint solid_word(ivec3 cell) {
    uint row_words = uint(grid.dims.x + 31) >> 5;
    return uint(cell.z * grid.dims.y + cell.y) * row_words + uint(cell.x >> 5);
}
bool is_obstacle(ivec3 cell) {
    if (has_solid == 0u) return false;
    return (solid.words[solid_word(cell)] >> uint(cell.x & 31) & 1u) != 0u;
}

uint cell_index(ivec3 cell) {
    return uint((cell.z * grid.dims.y + cell.y) * grid.dims.x + cell.x);
}

// What lies at a coordinate along an axis: the coordinate that stands for it, and the side beyond
// which it is.
struct Place {
    int at;
    uint beyond; // a FluidFace, or kWithin
};

Place place_along(int axis, int size, int at) {
    if (at >= 0 && at < size) return Place(at, kWithin);
    uint face = face_of(axis, at >= size);
    if (face == kPeriodic) return Place(modulo(at, size), kWithin);
    return Place(at >= size ? size - 1 : 0, face);
}

// The cell that stands for one beyond a side: on the other end of a periodic axis, or the last one.
ivec3 nearest_cell(ivec3 cell) {
    return ivec3(place_along(0, grid.dims.x, cell.x).at, place_along(1, grid.dims.y, cell.y).at,
                 place_along(2, grid.dims.z, cell.z).at);
}

#endif
