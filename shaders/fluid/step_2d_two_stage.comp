#version 460
// A step of the density-invariant solver in two dimensions, the pressure from the new density.

const int kAxes = 2;
const ivec2 kTile = ivec2(256, 1);
const bool kTwoStage = true;

#include "fluid/step.glsl"
