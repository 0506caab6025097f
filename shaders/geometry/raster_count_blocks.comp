#version 460
// Counts the fragments of each pixel, of large triangles.
#include "raster/params.glsl"
#include "raster/output_count.glsl"
#include "raster/blocks.glsl"
