#version 460
// Writes the fragments of each pixel to the room that its list has, of triangles but for large ones.
#include "raster/params.glsl"
#include "raster/output_fill.glsl"
#include "raster/triangles.glsl"
