#version 460
// One pass of an erosion.
//! variants CHANNELS=1,2

layout(local_size_x = 16, local_size_y = 16) in;

#include "done.glsl"
#include "erosion.glsl"

uniform usampler2D before;
uniform writeonly uimage2D after;
buffer Done { uint words[]; } done; // of this pass: 0 where a texel changes

uniform Params {
    ivec2 along;
    uint most;
    uint border;
    uint unreached;
    uint pass;    // from 0
    uint changes; // 0: it only looks
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(after)))) return;
    Erosion erosion = Erosion(params.along, 2u * params.pass + 1u, params.most, params.border,
                              params.unreached);
    uvec2 own = texelFetch(before, texel, 0).rg;
    uvec2 value = eroded_at(before, texel, own, erosion);
#if CHANNELS == 1
    bool changed = value.x != own.x;
#else
    bool changed = any(notEqual(value, own));
#endif
    uint word = done_word(params.pass);
    if (changed && done.words[word] != 0u) atomicAnd(done.words[word], 0u);
    imageStore(after, texel, uvec4(params.changes != 0u ? value : own, 0u, 0u));
}
