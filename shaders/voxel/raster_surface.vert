#version 460
// Draws the voxels of surfaces.

#include "voxel/raster_vertex.glsl"
