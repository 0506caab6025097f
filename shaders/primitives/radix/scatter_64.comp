#version 460
// Keys of 64 bits.
#define KEY_WORDS 2
#define VALUE_WORDS 0
#include "../radix_scatter.glsl"
