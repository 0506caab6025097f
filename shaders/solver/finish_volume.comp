#version 460
// The finished solution, as a volume.
#define RESULT image3D
#define TEXEL ivec3
#include "finish_image.glsl"
