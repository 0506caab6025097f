#version 460
// Keys of 64 bits.
#define KEY_WORDS 2
#include "../radix_count.glsl"
