#ifndef FLUID_SOLID
#define FLUID_SOLID
// The cells of a flow: which of them are solid, and what lies beyond the sides.

#include "modulo.glsl"

layout(push_constant) uniform Grid {
    ivec3 dims; // cells along each axis
    uint faces; // a FluidFace for each side, four bits each
    // Where ranks have the field in parts, FluidPart of C++:
    ivec3 held;   // cells of this rank's arrays, with the halo
    ivec3 origin; // the first of them; it may lie before a periodic side
    ivec3 turn;   // of a cell that is at both ends of the arrays, the one not before this counts
    ivec3 from;   // the box of cells that invocations go over
    ivec3 to;
} grid;

// 1: cells are those of the whole field everywhere but in `cell_index`; the mask of solid cells is
// the whole field's, too.
layout(constant_id = 11) const uint kParts = 0u;

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

ivec3 held_dims() {
    return kParts != 0u ? grid.held : grid.dims;
}
// Where this rank's arrays have a coordinate of the field; `fine` numbers to a cell. What they do not
// have is looked at only by invocations whose result nobody wants.
int held_at(int axis, int at, int fine) {
    if (kParts == 0u) return at;
    int size = fine * grid.dims[axis];
    int turn = fine * grid.turn[axis];
    if (at < turn) at += size;
    else if (at >= turn + size) at -= size;
    return clamp(at - fine * grid.origin[axis], 0, fine * grid.held[axis] - 1);
}

uint cell_index(ivec3 cell) {
    ivec3 held = held_dims();
    return uint((held_at(2, cell.z, 1) * held.y + held_at(1, cell.y, 1)) * held.x +
                held_at(0, cell.x, 1));
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

// Invocations over the field, or over a box of its cells, with `fine` numbers to a cell: whether there
// is one for `invocation`, and which it is.
bool is_taken(ivec3 invocation, ivec3 fine) {
    ivec3 size = kParts != 0u ? grid.to - grid.from : grid.dims;
    return all(lessThan(invocation, fine * size));
}
ivec3 cell_taken(ivec3 invocation, ivec3 fine) {
    if (kParts == 0u) return invocation;
    ivec3 cell = invocation + fine * grid.from;
    for (int axis = 0; axis < 3; ++axis)
        cell[axis] = place_along(axis, fine[axis] * grid.dims[axis], cell[axis]).at;
    return cell;
}

#endif
