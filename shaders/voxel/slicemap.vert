#version 460
// Draws the voxels of surfaces into the bits of attachments.

#include "raster_vertex.glsl"
