#version 460
// A volume's whole numbers, as an array of cells.
#define SOURCE usampler3D
#define TEXEL ivec3
#define NUMBER uint
#include "cells_of_image.glsl"
