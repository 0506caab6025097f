#version 460
// Draws the insides of meshes.

#include "raster_vertex.glsl"
