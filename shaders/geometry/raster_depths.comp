#version 460
// Finds the least depth of each pixel, of triangles but for large ones.
#define LISTS_PARTS
#include "params.glsl"
#include "output_depths.glsl"
#include "triangles.glsl"
