// Velocities on faces before the pressure has acted, and the grid that it is solved for on. That
// has a layer of cells beyond each open side, in which the pressure is 0.

#include "motion.glsl"

uniform Params {
    vec3 inflow;
    ivec3 problem_dims; // of the arrays that this rank has of that grid
    ivec3 offset;       // of the fluid's cells in them
    ivec3 problem_from; // the part that this rank has without a halo, in cells of the fluid
    ivec3 problem_to;
    float fastest; // no speed at a middle is above it
    Motion solids;
} params;

#include "solid.glsl"
#include "faces.glsl"

readonly buffer Moved { float values[]; } moved; // as fluid/faces.glsl says

// Where the arrays have a cell, or one of a layer.
uint problem_index(ivec3 cell) {
    ivec3 size = params.problem_dims;
    ivec3 place = cell + params.offset;
    if (kParts != 0u) {
        // Beyond a periodic side the field goes on.
        place += mix(ivec3(0), grid.dims, lessThan(place, ivec3(0)));
        place -= mix(ivec3(0), grid.dims, greaterThanEqual(place, size));
    }
    return uint((place.z * size.y + place.y) * size.x + place.x);
}

// Whether there are neither solids nor sides at a cell: then all neighbours are cells, and nothing is
// imposed. So it is with most.
bool is_inner(ivec3 cell) {
    bool deep = grid.dims.z == 1 || (cell.z > 0 && cell.z + 1 < grid.dims.z);
    return has_solid == 0u && deep && all(greaterThan(cell.xy, ivec2(0))) &&
           all(lessThan(cell.xy + 1, grid.dims.xy));
}

// From an inner cell's faces of least coordinate to the others, as in `moved`. In two dimensions both
// along z are the same one.
uvec3 turns(ivec3 cell) {
    uvec3 turn = uvec3(1, held_dims().x, grid.dims.z > 1 ? held_dims().x * held_dims().y : 0);
    if (kParts == 0u) return turn;
    // What is beside the part may be at the other end of the arrays.
    uint own = cell_index(cell);
    for (int axis = 0; axis < axes(); ++axis) {
        ivec3 next = cell;
        next[axis] += 1;
        turn[axis] = cell_index(next) - own;
    }
    return turn;
}

// Through an open side flows what flows through the other face of the cell there.
float driven(Face face, int axis) {
    if (!is_passable(face)) return imposed(face, axis, params.inflow, params.solids);
    ivec3 cell = face.high;
    if (face.beyond == kOpen && !face.at_end) cell[axis] += 1;
    if (face.beyond == kOpen && grid.dims[axis] == 1) return 0.0;
    return moved.values[face_index(cell, axis)];
}
