#version 460
// Keys of 32 bits.
#define KEY_WORDS 1
#define VALUE_WORDS 0
#include "../radix_scatter.glsl"
