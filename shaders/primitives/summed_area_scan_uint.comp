#version 460
// Last step of a summed-area table of whole numbers.
#define SUM_INTEGERS
#include "summed_area_scan.glsl"
