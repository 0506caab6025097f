#version 460
// Writes the fragments of each pixel to the room that its list has, of triangles but for large ones.
#include "params.glsl"
#include "output_fill.glsl"
#include "triangles.glsl"
