#version 460
//! variants MANY_LIGHTS=0,1
// The images that blending would have made, of counts: how many faces of each medium a ray from the
// eye to infinity leaves through more than it enters through.

layout(local_size_x = 8, local_size_y = 8) in;

#include "media.glsl"

readonly buffer Near { int words[]; } near; // two media a word, the first in its lower half
writeonly uniform image2D near_extinction; // as in capture_near.glsl
writeonly uniform image2D near_emission;
writeonly uniform image2D near_scatter;
#if MANY_LIGHTS
writeonly uniform image2D near_shadows;
#endif

uniform Params {
    uvec2 size;
    uint near_words; // of a pixel
    uint media;
    vec4 extinction[256];
    vec4 emission[256];
    vec4 scatter[256];
} params;

// The lower half may have borrowed from the upper one.
int count_of(int word, uint medium) {
    int lower = word << 16 >> 16;
    return (medium & 1u) == 0u ? lower : (word - lower) >> 16;
}

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(texel, params.size))) return;
    uint first = (texel.y * params.size.x + texel.x) * params.near_words;
    vec4 extinction = vec4(0.0);
    vec4 emission = vec4(0.0);
    vec4 scatter = vec4(0.0);
    vec4 shadows = vec4(0.0);
    for (uint medium = 0u; medium < params.media; ++medium) {
        float count = float(count_of(near.words[first + medium / 2u], medium));
        int kind = kind_of(params.scatter[medium]);
        if (kind == kMedium) {
            extinction += count * vec4(params.extinction[medium].rgb, 1.0);
            emission.rgb += count * params.emission[medium].rgb;
            scatter.rgb += count * params.scatter[medium].rgb;
        }
        if (kind == 1) emission.a += count;
        if (kind == 2) scatter.a += count;
        if (kind >= 3) shadows[(kind - 3) & 3] += kind >= 7 ? count * kSecondCount : count;
    }
    ivec2 at = ivec2(texel);
    imageStore(near_extinction, at, extinction);
    imageStore(near_emission, at, emission);
    imageStore(near_scatter, at, scatter);
#if MANY_LIGHTS
    imageStore(near_shadows, at, shadows);
#endif
}
