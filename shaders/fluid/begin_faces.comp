#version 460
// As fluid/begin.comp, of velocities on faces; the initial ones are a vec4 a cell.

layout(local_size_x = 256) in;

uniform Params {
    uint cells;
    uint axes;
    uint reset; // not 0: start again
    // Where ranks have the field in parts:
    ivec3 part; // cells, which the initial state has
    ivec3 halo; // cells around them
} params;

#include "invocation.glsl"
#include "initial.glsl"

readonly buffer Before { float values[]; } before;
readonly buffer Initial { vec4 cells[]; } initial;
readonly buffer Age { uint executions; } age; // 0 before the first
writeonly buffer Begun { float values[]; } begun;
writeonly buffer Now { uint executions; } now;

void main() {
    uint i = invocation_index();
    if (i == 0u) now.executions = 1u;
    if (i >= params.cells) return;
    int from = initial_index(i);
    bool again = from >= 0 && (age.executions == 0u || params.reset != 0u);
    vec4 given = again ? initial.cells[from] : vec4(0.0);
    for (uint axis = 0u; axis < params.axes; ++axis) {
        uint at = axis * params.cells + i;
        begun.values[at] = again ? given[axis] : before.values[at];
    }
}
