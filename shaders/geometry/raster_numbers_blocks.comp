#version 460
// Finds, of the triangles that are nearest in a pixel, that of the least number, of large triangles.
#include "raster/params.glsl"
#include "raster/output_numbers.glsl"
#include "raster/blocks.glsl"
