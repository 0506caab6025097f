#version 460
// Finds, of the triangles that are nearest in a pixel, that of the least number, of large triangles.
#include "params.glsl"
#include "output_numbers.glsl"
#include "blocks.glsl"
