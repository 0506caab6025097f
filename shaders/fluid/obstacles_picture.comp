#version 460
// A picture, a ball and a box as a mask of solid cells.

layout(local_size_x = 64) in;

uniform Params {
    ivec3 dims;
    vec3 center; // of the ball
    float radius;
    vec3 low; // of the box
    vec3 high;
    float threshold; // brightness
    uint dark;       // 1: solid where it is darker
} params;

uniform sampler2D picture;
writeonly buffer Words { uint values[]; } words;

#include "obstacle_words.glsl"

bool is_drawn(ivec3 cell) {
    ivec2 size = textureSize(picture, 0);
    vec2 place = (vec2(cell.xy) + 0.5) / vec2(params.dims.xy) * vec2(size);
    vec4 texel = texelFetch(picture, min(ivec2(place), size - 1), 0);
    float brightness = (texel.r + texel.g + texel.b) / 3.0 * texel.a;
    return params.dark != 0u ? brightness < params.threshold : brightness > params.threshold;
}

#include "obstacle_shapes.glsl"
