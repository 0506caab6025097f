#version 460
// First step of a summed-area table of one channel: the sums of each tile's rows and columns.
#define SUM_ONE_CHANNEL
#include "summed_area_sums.glsl"
