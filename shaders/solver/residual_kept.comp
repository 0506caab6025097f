#version 460
#define KEPT
#include "residual.glsl"
