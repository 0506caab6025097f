#version 460
#define KEPT
#define WEIGHTED
#include "solver/residual.glsl"
