#version 460
#include "solver/laplace.glsl"
