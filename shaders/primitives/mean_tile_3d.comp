#version 460
// The means of the blocks of a volume.
layout(local_size_x = 16, local_size_y = 16) in;
#define SUM_VOLUME
#include "mean_tile.glsl"
