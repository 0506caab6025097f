#version 460
// How much the smoke of two solvers differs in a cell: the largest difference of its four numbers.
layout(local_size_x = 64) in;
#include "invocation.glsl"

readonly buffer Dense { vec4 cells[]; } dense;   //! doc dye of all cells of the domain
readonly buffer Sparse { vec4 cells[]; } sparse; //! doc dye of all cells of the domain
writeonly buffer Apart { float values[]; } apart;

void main() {
    uint i = invocation_index();
    if (i >= apart.values.length()) return;
    vec4 difference = abs(dense.cells[i] - sparse.cells[i]);
    apart.values[i] = max(max(difference.x, difference.y), max(difference.z, difference.w));
}
