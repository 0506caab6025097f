#version 460
// Places the corners of triangles, for a layer.

#include "corner_vertex.glsl"
