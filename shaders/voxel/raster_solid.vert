#version 460
// Draws the insides of meshes.

#include "voxel/raster_vertex.glsl"
