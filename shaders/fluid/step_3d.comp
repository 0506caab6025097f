#version 460
// A step of the density-invariant solver in three dimensions.

const int kAxes = 3;
const ivec2 kTile = ivec2(32, 8);
const bool kTwoStage = false;

#include "fluid/step.glsl"
