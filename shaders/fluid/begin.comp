#version 460
// What the execution before left, or the initial state. HALF: on a state of 16 bits.
//! variants HALF=0,1

#include "cells.glsl"
// What the execution before left; at first, and when asked to start again, the initial state.

layout(local_size_x = 256) in;

uniform Params {
    uint cells;
    uint reset; // not 0: start again
    // Where ranks have the field in parts:
    ivec3 part; // cells, which the initial state has
    ivec3 halo; // cells around them
} params;

#include "invocation.glsl"
#include "initial.glsl"

readonly buffer Before { StoredCell cells[]; } before;
readonly buffer Initial { vec4 cells[]; } initial;
readonly buffer Age { uint executions; } age; // 0 before the first
writeonly buffer Begun { StoredCell cells[]; } begun;
writeonly buffer Now { uint executions; } now;

void main() {
    uint i = invocation_index();
    if (i == 0u) now.executions = 1u;
    if (i >= params.cells) return;
    int from = initial_index(i);
    bool again = from >= 0 && (age.executions == 0u || params.reset != 0u);
    begun.cells[i] = again ? stored_cell(initial.cells[from]) : before.cells[i];
}
