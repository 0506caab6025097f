#version 460
// Finds the least depth of each pixel, of large triangles.
#include "raster/params.glsl"
#include "raster/output_depths.glsl"
#include "raster/blocks.glsl"
