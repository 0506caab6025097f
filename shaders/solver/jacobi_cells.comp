#version 460
#define WEIGHTED
#include "solver/jacobi.glsl"
