#version 460
// The means of the blocks of a picture.
layout(local_size_x = 16, local_size_y = 16) in;
#include "mean_tile.glsl"
