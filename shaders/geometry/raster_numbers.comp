#version 460
// Finds, of the triangles that are nearest in a pixel, that of the least number, of triangles but for large ones.
#include "raster/params.glsl"
#include "raster/output_numbers.glsl"
#include "raster/triangles.glsl"
