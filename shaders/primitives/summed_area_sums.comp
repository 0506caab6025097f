#version 460
// First step of a summed-area table of all channels: the sums of each tile's rows and columns.
#include "summed_area_sums.glsl"
