#version 460
// Like restrict.comp, with solid or fixed cells: the sum of the residuals in a coarse cell.
#define WEIGHTED
#include "restrict.glsl"
