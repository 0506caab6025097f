#version 460
// The finished solution, as a picture.
#define RESULT image2D
#define TEXEL ivec2
#include "finish_image.glsl"
