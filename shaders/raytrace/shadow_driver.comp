#version 460
// Light that reaches the paths: what their shadow rays carry, unless something is in the way. By the device's own ray tracing.
#extension GL_EXT_ray_query : require

#define RAYS_BY_DRIVER
#include "raytrace/shadow_kernel.glsl"
