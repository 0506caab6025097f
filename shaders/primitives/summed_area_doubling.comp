#version 460
// A doubling pass over a picture.
layout(local_size_x = 16, local_size_y = 16) in;
#include "summed_area_doubling.glsl"
