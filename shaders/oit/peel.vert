#version 460
// Places the corners of triangles, for a layer.

#include "oit/corner_vertex.glsl"
