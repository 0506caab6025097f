#version 460
// Places the corners of triangles, for pixels.

#include "corner_vertex.glsl"
