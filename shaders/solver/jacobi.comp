#version 460
#include "jacobi.glsl"
