#version 460
// Places the corners of triangles, for pixels.

#include "oit/corner_vertex.glsl"
