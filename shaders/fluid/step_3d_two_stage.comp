#version 460
// A step of the density-invariant solver in three dimensions, the pressure from the new density.

const int kAxes = 3;
const ivec3 kTile = ivec3(16, 8, 4);
const ivec3 kHalo = ivec3(2, 2, 2);
const bool kTwoStage = true;

#include "fluid/step.glsl"
