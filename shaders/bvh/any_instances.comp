#version 460
// Whether each ray hits any instance.

#define INSTANCES
#include "any_kernel.glsl"
