#version 460
// Draws faces of media.

#include "capture_vertex.glsl"
