#version 460
// The nearest triangle that each ray hits. By the device's own ray tracing.
#extension GL_EXT_ray_query : require

#define RAYS_BY_DRIVER
#include "rays/closest_kernel.glsl"
