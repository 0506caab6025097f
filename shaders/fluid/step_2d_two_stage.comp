#version 460
// A step of the density-invariant solver in two dimensions, the pressure from the new density.

const int kAxes = 2;
const ivec3 kTile = ivec3(32, 32, 1);
const ivec3 kHalo = ivec3(2, 2, 0);
const bool kTwoStage = true;

#include "fluid/step.glsl"
