#version 460
#include "laplace.glsl"
