// Velocities on the faces of cells. Number a of a cell's vec4 is the velocity along axis a through
// its face of least coordinate; the other face is that of the next cell. After fluid/solid.glsl.

int axes() {
    return params.dims.z == 1 ? 2 : 3;
}

// The cell, or the one that stands for it beyond a periodic side. x: 0 where there is none.
bool is_inside(inout ivec3 cell) {
    for (int axis = 0; axis < 3; ++axis) {
        int size = params.dims[axis];
        bool high = cell[axis] >= size;
        if (!high && cell[axis] >= 0) continue;
        if (face_of(axis, high) != kPeriodic) return false;
        cell[axis] = modulo(cell[axis], size);
    }
    return true;
}

// Whether fluid may pass the cell's face of least coordinate along `axis`.
bool is_open_face(ivec3 cell, int axis) {
    if (axis >= axes()) return false;
    ivec3 beside = cell;
    beside[axis] -= 1;
    return is_inside(cell) && is_inside(beside) && !is_obstacle(cell) && !is_obstacle(beside);
}
