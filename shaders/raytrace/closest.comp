#version 460
// What the rays of paths hit first.

#include "closest_kernel.glsl"
