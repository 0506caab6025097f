#version 460
// Last step of a summed-area table of one channel.
#define SUM_ONE_CHANNEL
#include "summed_area_scan.glsl"
