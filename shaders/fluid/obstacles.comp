#version 460
// Balls and boxes as a mask of solid cells.

layout(local_size_x = 64) in;

uniform Params {
    ivec3 dims;
    vec3 center; // of the ball
    float radius;
    vec3 low; // of the box
    vec3 high;
} params;

writeonly buffer Words { uint values[]; } words;

#include "obstacle_words.glsl"

bool is_drawn(ivec3 cell) {
    return false;
}

#include "obstacle_shapes.glsl"
