#version 460
#define WEIGHTED
#include "jacobi.glsl"
