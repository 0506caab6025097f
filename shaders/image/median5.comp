#version 460
#extension GL_EXT_control_flow_attributes : require
// The median of 5x5 texels, each channel apart, by forgetful selection: of any 14 of the 25 values
// neither the least nor the greatest is the median, so both are dropped and a fresh value joins
// the 12, and so on down to three values. Alpha stays.

layout(local_size_x = 16, local_size_y = 16) in;

const int radius_x = 2;
const int radius_y = 2;
#include "exchange.glsl"
#include "image_tile.glsl"

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    int border; // kBorder... of border.glsl
} params;

vec4 window_texel(int i) {
    return tile_texel(i % 5 - 2, i / 5 - 2);
}

void main() {
    load_tile(source, params.border);
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;

    const int kCount = 25;
    const int kHeld = 14; // kCount / 2 + 2
    vec4 held[kHeld];
    [[unroll]] for (int i = 0; i < kHeld; ++i) held[i] = window_texel(i);

    int next = kHeld;
    [[unroll]] for (int last = kHeld - 1; last >= 2; --last) {
        // The least of held[0..last] to its front, the greatest to its end. An odd count's middle
        // value takes part in both searches.
        [[unroll]] for (int i = 0; 2 * i < last; ++i) exchange(held[i], held[last - i]);
        [[unroll]] for (int i = 1; 2 * i <= last; ++i) exchange(held[0], held[i]);
        [[unroll]] for (int i = (last + 1) / 2; i < last; ++i) exchange(held[i], held[last]);
        if (next < kCount) held[0] = window_texel(next++);
    }
    imageStore(result, texel, vec4(held[1].rgb, tile_texel(0, 0).a));
}
