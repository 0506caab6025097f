#version 460
#include "solver/residual.glsl"
