#version 460
// A ball, a box and, with PICTURE, what a picture draws as a mask of solid cells.
//! variants PICTURE=0,1

layout(local_size_x = 64) in;

uniform Params {
    ivec3 dims;
    vec3 center; // of the ball
    float radius;
    vec3 low; // of the box
    vec3 high;
#if PICTURE
    float threshold; // brightness
    uint dark;       // 1: solid where it is darker
#endif
} params;

#if PICTURE
uniform sampler2D picture;
#endif
writeonly buffer Words { uint values[]; } words;

#include "obstacle_words.glsl"

bool is_drawn(ivec3 cell) {
#if PICTURE
    ivec2 size = textureSize(picture, 0);
    vec2 place = (vec2(cell.xy) + 0.5) / vec2(params.dims.xy) * vec2(size);
    vec4 texel = texelFetch(picture, min(ivec2(place), size - 1), 0);
    float brightness = (texel.r + texel.g + texel.b) / 3.0 * texel.a;
    return params.dark != 0u ? brightness < params.threshold : brightness > params.threshold;
#else
    return false;
#endif
}

void main() {
    ivec3 cell = first_cell(params.dims);
    if (cell.z >= params.dims.z) return;
    uint word = word_of(cell, params.dims);
    uint bits = 0u;
    int cells = min(params.dims.x - cell.x, 32);
    for (int i = 0; i < cells; ++i) {
        vec3 middle = vec3(cell + ivec3(i, 0, 0)) + 0.5;
        vec3 from_center = middle - params.center;
        if (params.dims.z == 1) from_center.z = 0.0;
        bool in_box = all(greaterThanEqual(middle.xy, params.low.xy)) &&
                      all(lessThan(middle.xy, params.high.xy)) &&
                      (params.dims.z == 1 ||
                       middle.z >= params.low.z && middle.z < params.high.z);
        bool in_ball = dot(from_center, from_center) < params.radius * params.radius;
        if (in_box || in_ball || is_drawn(cell + ivec3(i, 0, 0))) bits |= 1u << uint(i);
    }
    words.values[word] = bits;
}
