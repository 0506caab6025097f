#version 460
// The residual of a grid, as the right-hand side of the next coarser one.
#include "restrict.glsl"
