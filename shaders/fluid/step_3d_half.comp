#version 460
// A step of the density-invariant solver in three dimensions, on a state of 16 bits.

layout(local_size_x = 16, local_size_y = 16, local_size_x_id = 5, local_size_y_id = 6) in;

#include "cells_half.glsl"
#include "step_3d.glsl"
