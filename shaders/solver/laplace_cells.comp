#version 460
#define WEIGHTED
#include "solver/laplace.glsl"
