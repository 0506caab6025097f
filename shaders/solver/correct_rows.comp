#version 460
// Corrects a picture, whose second axis is z, by the coarser grid, and relaxes it.
#define TILE_X 512
#define TILE_Y 1
#define RIM_Y 0
#define CORRECTED
#include "relax.glsl"
