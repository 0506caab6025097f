#version 460
// Light that reaches the paths: what their shadow rays carry, unless something is in the way.

#include "shadow_kernel.glsl"
