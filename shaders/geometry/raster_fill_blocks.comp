#version 460
// Writes the fragments of each pixel to the room that its list has, of large triangles.
#include "params.glsl"
#include "output_fill.glsl"
#include "blocks.glsl"
