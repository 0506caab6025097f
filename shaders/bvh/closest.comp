#version 460
// The nearest triangle that each ray hits.

#include "closest_kernel.glsl"
