#version 460
#extension GL_EXT_ray_query : require
// Light that reaches the paths, by the device's own traversal.

#define DEVICE
#include "shadow_kernel.glsl"
