#version 460
#extension GL_EXT_ray_query : require
// What the rays of paths hit first, by the device's own traversal.

#define DEVICE
#include "closest_kernel.glsl"
