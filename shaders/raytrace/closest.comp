#version 460
// What the rays of paths hit first.

#include "raytrace/closest_kernel.glsl"
