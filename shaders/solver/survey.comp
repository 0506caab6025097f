#version 460
// What there is to solve, a part of it for each group: sums of the right-hand side and its squares
// over the unknown cells, how many these are, and the greatest magnitude; and how many numbers are
// not finite, and cells fixed.
#include "survey.glsl"
