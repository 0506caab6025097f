#version 460
// As fluid/step_2d_two_stage.comp, for grids that are narrower than its tiles.

const int kAxes = 2;
const ivec2 kTile = ivec2(64, 1);
const bool kTwoStage = true;

#include "fluid/step.glsl"
