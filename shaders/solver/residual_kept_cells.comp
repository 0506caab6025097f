#version 460
#define KEPT
#define WEIGHTED
#include "residual.glsl"
