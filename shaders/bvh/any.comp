#version 460
// Whether each ray hits anything.

#include "rays/any_kernel.glsl"
