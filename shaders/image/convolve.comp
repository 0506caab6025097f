#version 460
// Correlation of an image with a kernel of up to 17x17 weights:
// result(p) = sum over k of source(p + k) * weight(k) + bias.

layout(local_size_x = 16, local_size_y = 16) in;

layout(constant_id = 0) const int radius_x = 1;
layout(constant_id = 1) const int radius_y = 1;
#include "image_tile.glsl"

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    vec4 weights[73];  // row by row, four to a vector; 17 * 17 of them at most
    float bias;        // added to every filtered channel but alpha
    int border;        // kBorder... of border.glsl
    uint clamp_result; // 1: the result is limited to [0, 1]
    uint filter_alpha; // 0: alpha is copied from the source
} params;

float weight(int i) {
    return params.weights[i >> 2][i & 3];
}

void main() {
    load_tile(source, params.border);
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    // Row sums first: the rounding error then grows with width + height, not with their product.
    vec4 sum = vec4(0.0);
    for (int y = -radius_y; y <= radius_y; ++y) {
        int first = (y + radius_y) * (2 * radius_x + 1) + radius_x;
        vec4 row = vec4(0.0);
        for (int x = -radius_x; x <= radius_x; ++x) row += weight(first + x) * tile_texel(x, y);
        sum += row;
    }
    sum.rgb += params.bias;
    if (params.clamp_result != 0u) sum = clamp(sum, 0.0, 1.0);
    if (params.filter_alpha == 0u) sum.a = tile_texel(0, 0).a;
    imageStore(result, texel, sum);
}
