#version 460
// Sums along the lines of a volume of whole numbers.
#define SUM_VOLUME
#define SUM_INTEGERS
#include "summed_area_lines.glsl"
