#version 460
// A step of the density-invariant solver in three dimensions.

const int kAxes = 3;
const ivec3 kTile = ivec3(16, 8, 8);
const ivec3 kHalo = ivec3(1, 1, 1);
const bool kTwoStage = false;

#include "fluid/step.glsl"
