#version 460
// Finds the least depth of each pixel, of triangles but for large ones.
#define LISTS_PARTS
#include "raster/params.glsl"
#include "raster/output_depths.glsl"
#include "raster/triangles.glsl"
