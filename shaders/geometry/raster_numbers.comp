#version 460
// Finds, of the triangles that are nearest in a pixel, that of the least number, of triangles but for large ones.
#include "params.glsl"
#include "output_numbers.glsl"
#include "triangles.glsl"
