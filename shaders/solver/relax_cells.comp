#version 460
// Relaxes a volume with solid or fixed cells.
#define WEIGHTED
#define TILE_X 32
#define TILE_Y 16
#define RIM_Y 2
#include "relax.glsl"
