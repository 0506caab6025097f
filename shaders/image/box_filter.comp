#version 460
// Box filter by a summed-area table of floats.
#include "box_filter.glsl"
