#version 460
// Steps of the density-invariant solver in two dimensions, on a state of 16 bits.

layout(local_size_x = 256, local_size_x_id = 5) in;

#include "cells_half.glsl"
#include "step_2d.glsl"
