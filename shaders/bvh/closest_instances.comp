#version 460
// The nearest triangle that each ray hits, and of which instance.

#define INSTANCES
#include "closest_kernel.glsl"
