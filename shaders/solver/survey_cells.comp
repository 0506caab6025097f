#version 460
// Like survey.comp, where there are solid and fixed cells.
#define CELLS
#include "survey.glsl"
