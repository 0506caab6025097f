#version 460
// Like correct.comp, with solid or fixed cells: each cell takes its coarse cell's correction.
#define WEIGHTED
#define CORRECTED
#define TILE_X 32
#define TILE_Y 16
#define RIM_Y 2
#include "relax.glsl"
