#version 460
// What the pressure has to take away, and which cells have none.

layout(local_size_x = 32, local_size_y = 8) in;
layout(constant_id = 1) const uint kKinds = 0u; // 1: not all cells are unknowns

#include "projection.glsl"

writeonly buffer Rhs { float values[]; } rhs;
writeonly buffer Kinds { uint values[]; } kinds; // PoissonCell in C++
const uint kUnknown = 0u;
const uint kSolidCell = 1u;
const uint kFixed = 2u;

float gained_along(ivec3 cell, int axis) {
    ivec3 next = cell;
    next[axis] += 1;
    return driven(face_at(next, axis), axis) - driven(face_at(cell, axis), axis);
}

// The same along all axes, in inner cells. In two dimensions both faces along z are the same one.
float gained(ivec3 cell) {
    bool deep = grid.dims.z > 1;
    uint x = face_index(cell, 0);
    uint y = face_index(cell, 1);
    uint z = face_index(cell, deep ? 2 : 1);
    uvec3 turn = turns(cell);
    vec3 low = vec3(moved.values[x], moved.values[y], moved.values[z]);
    vec3 high = vec3(moved.values[x + turn.x], moved.values[y + turn.y], moved.values[z + turn.z]);
    vec3 change = high - low;
    return change.x + change.y + change.z;
}

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID) + params.problem_from;
    if (any(greaterThanEqual(cell, params.problem_to))) return;
    uint kind = kUnknown;
    if (any(lessThan(cell, ivec3(0))) || any(greaterThanEqual(cell, grid.dims)))
        kind = kFixed;
    else if (is_obstacle(cell))
        kind = kSolidCell;

    float divergence = 0.0;
    if (kind == kUnknown && is_inner(cell)) {
        divergence = gained(cell);
    } else if (kind == kUnknown) {
        divergence = gained_along(cell, 0) + gained_along(cell, 1);
        if (grid.dims.z > 1) divergence += gained_along(cell, 2);
    }
    uint index = problem_index(cell);
    rhs.values[index] = -divergence;
    if (kKinds != 0u) kinds.values[index] = kind;
}
