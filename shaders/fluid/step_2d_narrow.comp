#version 460
// As fluid/step_2d.comp, for grids that are narrower than its tiles.

const int kAxes = 2;
const ivec2 kTile = ivec2(64, 1);
const bool kTwoStage = false;

#include "fluid/step.glsl"
