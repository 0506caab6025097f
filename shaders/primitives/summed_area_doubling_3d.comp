#version 460
// A doubling pass over a volume.
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;
#define SUM_VOLUME
#include "summed_area_doubling.glsl"
