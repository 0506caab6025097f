#version 460
// Finds the least depth of each pixel, of large triangles.
#include "params.glsl"
#include "output_depths.glsl"
#include "blocks.glsl"
