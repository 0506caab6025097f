#version 460
// A doubling pass over a picture of whole numbers.
layout(local_size_x = 16, local_size_y = 16) in;
#define SUM_INTEGERS
#include "summed_area_doubling.glsl"
