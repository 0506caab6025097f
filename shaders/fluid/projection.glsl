// Velocities on faces before the pressure has acted, and the grid that it is solved for on. That
// has a layer of cells beyond each open side, in which the pressure is 0.

uniform Params {
    ivec3 dims;
    uint faces;
    vec3 inflow;
    ivec3 problem_dims;
    ivec3 offset; // of the fluid's cells in it
    vec3 solid_speed; // of the solids' pivot, cells / time unit
    vec3 solid_spin;  // radians / time unit
    vec3 solid_pivot; // cells
} params;

#include "motion.glsl"
#include "solid.glsl"
#include "faces.glsl"

readonly buffer Moved { float values[]; } moved; // as fluid/faces.glsl says

// Whether there are neither solids nor sides at a cell: then all neighbours are cells, and nothing is
// imposed. So it is with most.
bool is_inner(ivec3 cell) {
    bool deep = params.dims.z == 1 || (cell.z > 0 && cell.z + 1 < params.dims.z);
    return has_solid == 0u && deep && all(greaterThan(cell.xy, ivec2(0))) &&
           all(lessThan(cell.xy + 1, params.dims.xy));
}

// Through an open side flows what flows through the other face of the cell there.
float driven(Face face, int axis) {
    if (!is_passable(face)) return imposed(face, axis);
    ivec3 cell = face.high;
    if (face.beyond == kOpen && !face.at_end) cell[axis] += 1;
    if (face.beyond == kOpen && params.dims[axis] == 1) return 0.0;
    return moved.values[face_index(cell, axis)];
}
