#version 460
// Sums along the lines of a volume.
#define SUM_VOLUME
#include "summed_area_lines.glsl"
