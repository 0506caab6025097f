#version 460
// First step of a summed-area table of whole numbers: the sums of each tile's rows and columns.
#define SUM_INTEGERS
#include "summed_area_sums.glsl"
