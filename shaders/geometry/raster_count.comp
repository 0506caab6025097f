#version 460
// Counts the fragments of each pixel, of triangles but for large ones.
#define LISTS_PARTS
#include "raster/params.glsl"
#include "raster/output_count.glsl"
#include "raster/triangles.glsl"
