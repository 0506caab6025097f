#version 460
// Draws the voxels of surfaces.

#include "raster_vertex.glsl"
