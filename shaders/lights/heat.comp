#version 460
// How many lights are in the list of each pixel, as colours and as numbers.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 0) const uint has_bounds = 0u;
layout(constant_id = 1) const uint has_bins = 0u;

#include "view.glsl"
#include "heat_color.glsl"

uniform sampler2D depth;
readonly buffer Bounds { vec4 values[]; } bounds;
readonly buffer Bins { uint values[]; } bins;
readonly buffer Masks { uint values[]; } masks;
readonly buffer Summaries { uint values[]; } summaries;
uniform writeonly image2D color;
uniform writeonly image2D numbers;

uniform Params {
    uint words; // of a mask
    uint summary_words;
    uint side;  // of a tile
    uint tiles_x;
    uint lists_a_tile;
    vec4 depth_terms;
    vec4 bin_terms;
    float most; // lights that are white
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(color)))) return;
    float value = texelFetch(depth, texel, 0).x;
    uint sum = 0u;
    if (value >= 0.0 && value < 1.0) {
        uint tile = uint(texel.y) / params.side * params.tiles_x + uint(texel.x) / params.side;
        uint list = list_of_pixel(uvec2(texel), params.side, params.tiles_x, params.lists_a_tile,
                                  value, has_bounds != 0u ? bounds.values[tile] : vec4(0.0));
        float away = distance_of(value, params.depth_terms);
        uint bin = has_bins != 0u ? bin_of(away, params.bin_terms) : 0u;
        for (uint s = 0u; s < params.summary_words; ++s)
            for (uint words = summaries.values[list * params.summary_words + s]; words != 0u;
                 words &= words - 1u) {
                uint w = 32u * s + uint(findLSB(words));
                uint bits = masks.values[list * params.words + w];
                if (has_bins != 0u) bits &= bins.values[bin * params.words + w];
                sum += uint(bitCount(bits));
            }
    }
    imageStore(numbers, texel, vec4(float(sum)));
    float share = log2(1.0 + float(sum)) / log2(1.0 + params.most);
    imageStore(color, texel, vec4(heat_color(share), 1.0));
}
