#version 460
#extension GL_EXT_ray_query : require
// The nearest triangle that each ray hits, by the device's own traversal.

#define DEVICE
#include "closest_kernel.glsl"
