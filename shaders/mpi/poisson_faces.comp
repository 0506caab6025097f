#version 460
// Which faces of a rank's cells something goes through, as bits: see kinds.glsl. `kinds` are known one
// cell beyond the part.
layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
#include "part_params.glsl"
    ivec3 cells;     // of the whole field
    ivec3 wraps;     // 1: the axis is periodic
    ivec3 dirichlet; // 1: the solution is 0 at both ends of the axis
    int axes;
} params;

readonly buffer Kinds { uint values[]; } kinds;
writeonly buffer Result { uint bits[]; } result;

#include "kinds.glsl"

int index_at(ivec3 place) {
    return place.x + params.size.x * (place.y + params.size.y * place.z);
}

void main() {
    ivec3 place = ivec3(gl_GlobalInvocationID);
    if (any(lessThan(place, params.halo)) ||
        any(greaterThanEqual(place, params.size - params.halo)))
        return;
    uint own = kinds.values[index_at(place)];
    uint bits = own == kSolid ? kSolidCell : 0u;
    for (int axis = 0; own == kUnknown && axis < params.axes; ++axis)
        for (int side = 0; side < 2; ++side) {
            ivec3 other = place;
            other[axis] += 2 * side - 1;
            int cell = params.first[axis] + other[axis] - params.halo[axis];
            bool leaves = cell < 0 || cell >= params.cells[axis];
            bool open;
            if (leaves && params.wraps[axis] == 0)
                open = params.dirichlet[axis] != 0;
            else // a single cell is its own neighbour: nothing flows
                open = params.cells[axis] > 1 && kinds.values[index_at(other)] != kSolid;
            if (open) bits |= face_bit(axis, side);
        }
    result.bits[index_at(place)] = bits;
}
