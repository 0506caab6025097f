#version 460
// Takes the mean from a picture.
layout(local_size_x = 16, local_size_y = 16) in;
#include "summed_area_prepare.glsl"
