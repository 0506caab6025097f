#version 460
#define KEPT
#include "solver/residual.glsl"
