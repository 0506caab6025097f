#version 460
// Keys of 64 bits, values of 32 bits.
#define KEY_WORDS 2
#define VALUE_WORDS 1
#include "../radix_scatter.glsl"
