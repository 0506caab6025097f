#version 460
// A step of the density-invariant solver in two dimensions.

const int kAxes = 2;
const ivec3 kTile = ivec3(32, 32, 1);
const ivec3 kHalo = ivec3(1, 1, 0);
const bool kTwoStage = false;

#include "fluid/step.glsl"
