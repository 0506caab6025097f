#version 460
// A step of the density-invariant solver in three dimensions, the pressure from the new density.

layout(local_size_x = 16, local_size_y = 16, local_size_x_id = 5, local_size_y_id = 6) in;
const int kAxes = 3;
const bool kTwoStage = true;

#include "fluid/step.glsl"
