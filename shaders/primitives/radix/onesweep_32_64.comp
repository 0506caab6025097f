#version 460
// Keys of 32 bits, values of 64 bits.
#define KEY_WORDS 1
#define VALUE_WORDS 2
#include "../radix_onesweep.glsl"
