// Velocities on faces before the pressure has acted, and the grid that it is solved for on. That
// has a layer of cells beyond each open side, in which the pressure is 0.

#include "motion.glsl"

uniform Params {
    vec3 inflow;
    ivec3 problem_dims;
    ivec3 offset; // of the fluid's cells in it
    Motion solids;
} params;

#include "solid.glsl"
#include "faces.glsl"

readonly buffer Moved { float values[]; } moved; // as fluid/faces.glsl says

// Whether there are neither solids nor sides at a cell: then all neighbours are cells, and nothing is
// imposed. So it is with most.
bool is_inner(ivec3 cell) {
    bool deep = grid.dims.z == 1 || (cell.z > 0 && cell.z + 1 < grid.dims.z);
    return has_solid == 0u && deep && all(greaterThan(cell.xy, ivec2(0))) &&
           all(lessThan(cell.xy + 1, grid.dims.xy));
}

// Through an open side flows what flows through the other face of the cell there.
float driven(Face face, int axis) {
    if (!is_passable(face)) return imposed(face, axis, params.inflow, params.solids);
    ivec3 cell = face.high;
    if (face.beyond == kOpen && !face.at_end) cell[axis] += 1;
    if (face.beyond == kOpen && grid.dims[axis] == 1) return 0.0;
    return moved.values[face_index(cell, axis)];
}
