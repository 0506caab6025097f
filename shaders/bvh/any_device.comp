#version 460
#extension GL_EXT_ray_query : require
// Whether each ray hits anything, by the device's own traversal.

#define DEVICE
#include "any_kernel.glsl"
