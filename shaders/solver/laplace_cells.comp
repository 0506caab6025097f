#version 460
#define WEIGHTED
#include "laplace.glsl"
