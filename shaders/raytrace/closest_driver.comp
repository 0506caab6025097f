#version 460
// What the rays of paths hit first. By the device's own ray tracing.
#extension GL_EXT_ray_query : require

#define RAYS_BY_DRIVER
#include "raytrace/closest_kernel.glsl"
