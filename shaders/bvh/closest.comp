#version 460
// The nearest triangle that each ray hits.

#include "rays/closest_kernel.glsl"
