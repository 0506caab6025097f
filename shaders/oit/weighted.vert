#version 460
// Places the corners of triangles, for weighted sums.

#include "corner_vertex.glsl"
