#version 460
// The median of 3x3 texels, each channel apart, by the 19-exchange network for the median of nine
// (J. L. Smith, "Implementing median filters in XC4000E FPGAs", Xcell 23, 1996). Alpha stays.

layout(local_size_x = 16, local_size_y = 16) in;

const int radius_x = 1;
const int radius_y = 1;
#include "exchange.glsl"
#include "image_tile.glsl"

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    int border; // kBorder... of border.glsl
} params;

void main() {
    load_tile(source, params.border);
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    vec4 v0 = tile_texel(-1, -1), v1 = tile_texel(0, -1), v2 = tile_texel(1, -1);
    vec4 v3 = tile_texel(-1, 0), v4 = tile_texel(0, 0), v5 = tile_texel(1, 0);
    vec4 v6 = tile_texel(-1, 1), v7 = tile_texel(0, 1), v8 = tile_texel(1, 1);
    float alpha = v4.a;

    // Sort each row of three.
    exchange(v1, v2), exchange(v4, v5), exchange(v7, v8);
    exchange(v0, v1), exchange(v3, v4), exchange(v6, v7);
    exchange(v1, v2), exchange(v4, v5), exchange(v7, v8);
    // The median is the median of: the greatest minimum, the median of the medians, the least
    // maximum.
    exchange(v0, v3), exchange(v3, v6);
    exchange(v5, v8), exchange(v2, v5);
    exchange(v4, v7), exchange(v1, v4), exchange(v4, v7);
    exchange(v4, v2), exchange(v6, v4), exchange(v4, v2);
    imageStore(result, texel, vec4(v4.rgb, alpha));
}
