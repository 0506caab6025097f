#version 460
// Keys of 32 bits.
#define KEY_WORDS 1
#include "../search.glsl"
