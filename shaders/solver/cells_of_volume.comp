#version 460
// A volume's numbers, as an array of cells.
#define SOURCE sampler3D
#define TEXEL ivec3
#define NUMBER float
#include "cells_of_image.glsl"
