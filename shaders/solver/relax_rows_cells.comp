#version 460
// Relaxes a picture with solid or fixed cells.
#define WEIGHTED
#define TILE_X 512
#define TILE_Y 1
#define RIM_Y 0
#include "relax.glsl"
