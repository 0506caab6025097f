#version 460
// Steps of the density-invariant solver in two dimensions.

layout(local_size_x = 256, local_size_x_id = 5) in;

#include "cells_full.glsl"
#include "step_2d.glsl"
