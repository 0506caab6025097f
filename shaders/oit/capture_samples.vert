#version 460
// Places the corners of triangles, for samples.

#include "corner_vertex.glsl"
