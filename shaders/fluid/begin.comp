#version 460
// What the execution before left, or the initial state.

#include "fluid/cells_full.glsl"
#include "fluid/begin.glsl"
