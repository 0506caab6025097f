#version 460
// Blends the fragments of each sample on its own, a layer of the result each. Over: the whole colour.
// Under: the light of the fragments, and in alpha what they cover, for blending over the picture by
// fixed functions.
//
// No fragment stage does this: llvmpipe (Mesa 22.3) drops pixels from loops within loops there.

#define RESULT_IMAGE image2DArray
#include "resolve_tiles.glsl"

uniform sampler2DMS background;
uniform sampler2DMS opaque_depth;
layout(constant_id = 19) const uint kDepthTest = 1u; // of fragments that stand for several samples

void main() {
    uvec2 pixel;
    if (!next_pixel(pixel)) return;
    ivec2 texel = ivec2(pixel + params.origin);
    int number = int(gl_WorkGroupID.z);
    float opaque = as_stored(texelFetch(opaque_depth, texel, number).r);
    bool over = kOrder == kOver;
    bool nearest = kLong == kNearest;
    vec4 color = over ? texelFetch(background, texel, number) : vec4(0.0);
    Under under = nothing_yet();
    uint at = pixel_index(pixel);
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(at, params.capacity, last, over && !nearest ? kFromBack : kFromFront);
        for (uint i = 0u; i < round.count; ++i) {
            uint place = over && nearest ? round.count - 1u - i : i;
            Fragment f = fragment_of(kept_node[column(place)]);
            bool hidden = kDepthTest != 0u && f.depth >= opaque;
            if ((f.samples & (1u << number)) == 0u || hidden) continue;
            if (over) color = blend_over(color, f.color, f.mode);
            else blend_under(under, f.color, f.mode);
        }
        if (round.more) last = kept_node[column(kKeep - 1u)];
    } while (round.more && !nearest);
    if (!over) color = vec4(under.light, 1.0 - under.through.a);
    imageStore(result, ivec3(texel, number), color);
}
