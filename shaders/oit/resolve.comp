#version 460
// Blends the fragments of each pixel over a picture of one sample a pixel.

#include "resolve_tiles.glsl"

uniform sampler2D background;

void main() {
    uvec2 pixel;
    if (!next_pixel(pixel)) return;
    vec4 below = texelFetch(background, ivec2(pixel + params.origin), 0);
    vec4 color = kOrder == kUnder ? blended_under(pixel_index(pixel), below)
                                  : blended_over(pixel_index(pixel), below);
    imageStore(result, ivec2(pixel + params.origin), color);
}
