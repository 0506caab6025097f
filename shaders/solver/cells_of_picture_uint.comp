#version 460
// A picture's whole numbers, as an array of cells.
#define SOURCE usampler2D
#define TEXEL ivec2
#define NUMBER uint
#include "cells_of_image.glsl"
