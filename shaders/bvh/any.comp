#version 460
// Whether each ray hits anything.

#include "any_kernel.glsl"
