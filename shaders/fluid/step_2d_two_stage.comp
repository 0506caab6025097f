#version 460
// A step of the density-invariant solver in two dimensions, the pressure from the new density.

layout(local_size_x = 256, local_size_x_id = 5) in;
const int kAxes = 2;
const bool kTwoStage = true;

#include "fluid/step.glsl"
