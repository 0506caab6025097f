#version 460
// A picture's numbers, as an array of cells.
#define SOURCE sampler2D
#define TEXEL ivec2
#define NUMBER float
#include "cells_of_image.glsl"
