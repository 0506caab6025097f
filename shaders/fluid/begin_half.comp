#version 460
// What the execution before left, or the initial state, on a state of 16 bits.

#include "fluid/cells_half.glsl"
#include "fluid/begin.glsl"
