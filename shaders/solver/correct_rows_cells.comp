#version 460
// Like correct_rows.comp, with solid or fixed cells.
#define WEIGHTED
#define CORRECTED
#define TILE_X 512
#define TILE_Y 1
#define RIM_Y 0
#include "relax.glsl"
