#version 460
// Keys of 64 bits.
#define KEY_WORDS 2
#define VALUE_WORDS 0
#define TILE_ITEMS 16
#include "primitives/radix_scatter.glsl"
