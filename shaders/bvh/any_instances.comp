#version 460
// Whether each ray hits any instance.

#define INSTANCES
#include "rays/any_kernel.glsl"
