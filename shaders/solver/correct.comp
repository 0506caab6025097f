#version 460
// Corrects a volume by the coarser grid, and relaxes it.
#define TILE_X 32
#define TILE_Y 16
#define RIM_Y 2
#define CORRECTED
#include "relax.glsl"
