#version 460
// Counts the fragments of each pixel, of triangles but for large ones.
#define LISTS_PARTS
#include "params.glsl"
#include "output_count.glsl"
#include "triangles.glsl"
