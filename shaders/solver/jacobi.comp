#version 460
#include "solver/jacobi.glsl"
