#version 460
// Keys of 64 bits.
#define KEY_WORDS 2
#define TILE_ITEMS 16
#include "primitives/radix_count.glsl"
