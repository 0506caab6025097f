// Velocities on the faces of cells, an array for each axis: number cell_index(cell) of the array of
// an axis is the velocity along it through the cell's face of least coordinate; the other face is
// that of the next cell.
#include "motion.glsl"
#include "solid.glsl"

int axes() {
    return grid.dims.z == 1 ? 2 : 3;
}
uint faces_of_an_axis() {
    ivec3 held = held_dims();
    return uint(held.x * held.y) * uint(held.z);
}
uint face_index(ivec3 cell, int axis) {
    return uint(axis) * faces_of_an_axis() + cell_index(cell);
}

// The face of least coordinate of a cell along an axis, or of one beyond the last: its greatest.
struct Face {
    ivec3 low; // the cells on both sides; twice the same where one of them is beyond a side
    ivec3 high;
    uint beyond; // that side, or kWithin
    bool at_end; // it is the last cell's
};

Face face_at(ivec3 cell, int axis) {
    int size = grid.dims[axis];
    Face face = Face(cell, cell, kWithin, cell[axis] >= size);
    face.low[axis] -= 1;
    if (face.low[axis] >= 0 && !face.at_end) return face;
    uint side = face_of(axis, face.at_end);
    if (side == kPeriodic) {
        face.low[axis] = size - 1;
        face.high[axis] = 0;
        return face;
    }
    face.beyond = side;
    if (face.at_end) face.high = face.low;
    else face.low = face.high;
    return face;
}

// Whether the pressure decides what flows through.
bool is_passable(Face face) {
    return (face.beyond == kWithin || face.beyond == kOpen) && !is_obstacle(face.low) &&
           !is_obstacle(face.high);
}

// What flows through otherwise: solids move, and what comes in at a side does so as given.
float imposed(Face face, int axis, vec3 inflow, Motion solids) {
    if (is_obstacle(face.low) || is_obstacle(face.high)) {
        vec3 middle = vec3(face.high) + 0.5;
        middle[axis] -= 0.5;
        return solid_velocity(solids, middle)[axis];
    }
    return face.beyond == kInflow ? inflow[axis] : 0.0;
}
