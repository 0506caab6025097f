#version 460
// Places the corners of triangles, for weighted sums.

#include "oit/corner_vertex.glsl"
