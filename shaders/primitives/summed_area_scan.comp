#version 460
// Last step of a summed-area table of all channels.
#include "summed_area_scan.glsl"
