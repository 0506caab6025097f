#version 460
// Draws faces of media.

#include "volume/capture_vertex.glsl"
