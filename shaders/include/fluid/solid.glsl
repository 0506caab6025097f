// Which cells are solid, and what lies beyond the sides. Before it: `params` with dims and faces.

#include "modulo.glsl"

layout(constant_id = 0) const uint kMasked = 0u; // 1: there are obstacles
readonly buffer Solid { uint words[]; } solid;

// FluidFace in C++.
const uint kWall = 0u;
const uint kPeriodic = 1u;
const uint kInflow = 2u;
const uint kOpen = 3u;

uint face_of(int axis, bool high) {
    return params.faces >> uint(8 * axis + (high ? 4 : 0)) & 15u;
}

bool is_obstacle(ivec3 cell) {
    if (kMasked == 0u) return false;
    uint row_words = uint(params.dims.x + 31) >> 5;
    uint row = uint(cell.z * params.dims.y + cell.y);
    return (solid.words[row * row_words + uint(cell.x >> 5)] >> uint(cell.x & 31) & 1u) != 0u;
}

uint cell_index(ivec3 cell) {
    return uint((cell.z * params.dims.y + cell.y) * params.dims.x + cell.x);
}

// The cell that stands for one beyond a side: on the other end of a periodic axis, or the last one.
ivec3 nearest_cell(ivec3 cell) {
    for (int axis = 0; axis < 3; ++axis) {
        int size = params.dims[axis];
        bool high = cell[axis] >= size;
        if (!high && cell[axis] >= 0) continue;
        cell[axis] = face_of(axis, high) == kPeriodic ? modulo(cell[axis], size)
                                                      : clamp(cell[axis], 0, size - 1);
    }
    return cell;
}
