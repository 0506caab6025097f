#version 460
// Whether each ray hits anything. By the device's own ray tracing.
#extension GL_EXT_ray_query : require

#define RAYS_BY_DRIVER
#include "rays/any_kernel.glsl"
