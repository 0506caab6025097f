#version 460
// Blends the fragments of each sample on its own. Over: the whole colour. Under: the light of the
// fragments, and in alpha what they cover, for blending over the picture by fixed functions.

uniform Params {
    uvec2 size;    // of the picture
    uint capacity; // fragments that there is room for
} params;

#include "oit/resolve.glsl"

layout(constant_id = 19) const uint kDepthTest = 1u;

uniform sampler2DMS background;
uniform sampler2DMS opaque_depth;

layout(location = 0) out vec4 result;

uint kept_depth[kKeep];
uint kept_node[kKeep];
#define COLUMN(i) (i)
#include "oit/select.glsl"

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    uint pixel = uint(texel.y) * params.size.x + uint(texel.x);
    uint bit = 1u << uint(gl_SampleID);
    float opaque = texelFetch(opaque_depth, texel, gl_SampleID).r;
    vec4 color = kOrder == kOver ? texelFetch(background, texel, gl_SampleID) : vec4(0.0);
    Under under = nothing_yet();
    uint last = kNoNode;
    Round round;
    do {
        round = select_after(pixel, last, kOrder == kOver);
        for (uint i = 0u; i < round.count; ++i) {
            Fragment f = fragment_of(kept_node[i]);
            if ((f.samples & bit) == 0u || (kDepthTest != 0u && f.depth >= opaque)) continue;
            if (kOrder == kOver) color = blend_over(color, f);
            else blend_under(under, f);
        }
        if (round.more) last = kept_node[kKeep - 1u];
    } while (round.more);
    result = kOrder == kOver ? color : vec4(under.light, 1.0 - under.through.a);
}
