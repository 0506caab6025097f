#version 460
// Box filter by a summed-area table of whole numbers.
#define SUM_INTEGERS
#include "box_filter.glsl"
