#version 460
// Places the corners of triangles, for samples.

#include "oit/corner_vertex.glsl"
