#version 460
#define WEIGHTED
#include "solver/residual.glsl"
