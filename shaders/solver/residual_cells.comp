#version 460
#define WEIGHTED
#include "residual.glsl"
