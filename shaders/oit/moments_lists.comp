#version 460
//! variants MOMENTS=4,6,8
// Blends captured fragments by their moments, for devices that cannot blend 32-bit floats: what
// oit/moments.frag, oit/moments_light.frag and oit/weighted_blend do.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    vec4 warp;     // of depths, for moment_depth
    uvec2 size;    // of the picture
    uint capacity; // fragments that there is room for
    float share;   // for transmittance
} params;

#include "lists.glsl"
#include "moments.glsl"

uniform sampler2D background;
uniform writeonly image2D result;

// Captured with all of clip space's depths, which are stored as they are then.
float place_of(Fragment f) {
    return moment_depth(f.depth, params.warp);
}

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, params.size))) return;
    uint pixel = texel.y * params.size.x + texel.x;
    Moments sum = moments_of(0.0, 0.0);
    for (Cursor c = first_fragment(pixel, params.capacity); !is_at_end(c); advance(c)) {
        Fragment f = fragment_of(c.node);
        add(sum, moments_of(optical_depth(f.color.a), place_of(f)));
    }
    vec4 light = vec4(0.0, 0.0, 0.0, 1.0);
    float weights = 0.0;
    for (Cursor c = first_fragment(pixel, params.capacity); !is_at_end(c); advance(c)) {
        Fragment f = fragment_of(c.node);
        float weight = f.color.a * transmittance(sum, place_of(f), params.share);
        light.rgb += f.color.rgb * weight;
        light.a *= 1.0 - f.color.a;
        weights += weight;
    }
    vec4 below = texelFetch(background, ivec2(texel), 0);
    imageStore(result, ivec2(texel), average_over(below, light, weights));
}
