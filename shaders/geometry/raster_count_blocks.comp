#version 460
// Counts the fragments of each pixel, of large triangles.
#include "params.glsl"
#include "output_count.glsl"
#include "blocks.glsl"
