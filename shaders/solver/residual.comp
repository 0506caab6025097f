#version 460
#include "residual.glsl"
